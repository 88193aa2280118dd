import type { Structural } from '@fairlead/apimachinery';
import { parse, SyntaxProblem, UnsupportedSyntax } from './parse.ts';

/** One message for each rule of a schema that cannot be evaluated here, with its path and the reason. */
export function unsupportedRules(schema: Structural, path = ''): string[] {
  const texts: string[] = [];
  for (const { rule } of schema.rules) {
    const why = whyUnsupported(rule);
    if (why) texts.push(`${path || 'object'}: the rule ${JSON.stringify(rule)} is not evaluated: ${why}`);
  }
  for (const [name, property] of schema.properties)
    texts.push(...unsupportedRules(property, path ? `${path}.${name}` : name));
  if (schema.items) texts.push(...unsupportedRules(schema.items, `${path}[*]`));
  if (typeof schema.additional === 'object') texts.push(...unsupportedRules(schema.additional, `${path}[*]`));
  return texts;
}

function whyUnsupported(rule: string): string | undefined {
  try {
    parse(rule);
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return `${error.message} are not supported`;
    if (error instanceof SyntaxProblem) return undefined;
    throw error;
  }
}
