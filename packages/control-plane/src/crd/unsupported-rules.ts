import type { Condition } from '@fairlead/apimachinery';
import { structural } from '@fairlead/apimachinery';
import { unsupportedRules } from './cel/unsupported.ts';
import { type Definition, schemaOfVersion } from './definition.ts';

/** One message for each validation rule of a CRD that cannot be evaluated here. */
export function unsupportedRulesOf(definition: Definition): string[] {
  const texts = (definition.spec.versions ?? []).flatMap((version) => {
    const schema = schemaOfVersion(version);
    return schema ? unsupportedRules(structural(schema)) : [];
  });
  return [...new Set(texts)];
}

export const unsupportedCondition = 'ValidationRulesEvaluated';

/** The condition of a CRD while some of its rules are not evaluated. */
export function conditionForUnsupported(definition: Definition): Condition | undefined {
  const texts = unsupportedRulesOf(definition);
  if (texts.length === 0) return undefined;
  return { type: unsupportedCondition, status: 'False', reason: 'RulesNotSupported', message: texts.join('; ') };
}
