import { createContext, Script } from 'node:vm';
import { messageOf } from '@fairlead/apimachinery';
import { RE2JS } from 're2js';

/** Whether a regular expression matches a part of the name of a namespace. */
type Matches = (namespace: string) => boolean;

const maxKept = 1_000;
const compiled = new Map<string, Matches>();

/** Throws if the expression is invalid. */
export function namespaceExpression(expression: string): Matches {
  const known = compiled.get(expression);
  if (known) return known;
  const matches = compile(expression);
  if (compiled.size >= maxKept) compiled.clear();
  compiled.set(expression, matches);
  return matches;
}

/** The problem of an expression; undefined if it is valid. */
export function expressionProblem(expression: string): string | undefined {
  try {
    namespaceExpression(expression);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * In linear time, except for syntax that Argo CD accepts and linear time does not permit: lookarounds, as `^(?!team-)`, and
 * back-references.
 */
function compile(expression: string): Matches {
  // JavaScript reports errors in more familiar terms.
  const backtracking = new RegExp(expression, 'u');
  try {
    const linear = RE2JS.compile(expression);
    return (namespace) => linear.matcher(namespace).find();
  } catch {
    return limited(backtracking);
  }
}

const script = new Script('expression.test(namespace)');
const maxMatchMs = 20;

/** Each match is computed once, with a short time limit. An expression that exceeds it matches nothing from then on. */
function limited(expression: RegExp): Matches {
  const results = new Map<string, boolean>();
  let isTooSlow = false;
  return (namespace) => {
    if (isTooSlow) return false;
    const known = results.get(namespace);
    if (known !== undefined) return known;
    if (results.size >= maxKept) results.clear();
    try {
      const result = script.runInContext(createContext({ expression, namespace }), { timeout: maxMatchMs }) === true;
      results.set(namespace, result);
      return result;
    } catch {
      isTooSlow = true;
      return false;
    }
  };
}
