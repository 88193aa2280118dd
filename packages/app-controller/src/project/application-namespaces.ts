import { globProblem, matchesGlob } from '../glob.ts';
import { expressionProblem, namespaceExpression } from './namespace-expression.ts';

const expressionIn = (pattern: string): string | undefined => /^\/(.+)\/$/u.exec(pattern)?.[1];

/** Whether a namespace matches one of the patterns: globs, or `/regular expressions/`. An invalid pattern matches nothing. */
export const isNamespaceNamed = (patterns: readonly string[], namespace: string): boolean =>
  patterns.some((pattern) => {
    const expression = expressionIn(pattern);
    if (expression === undefined) return matchesGlob(pattern, namespace);
    return namespacePatternProblem(pattern) === undefined && namespaceExpression(expression)(namespace);
  });

/** The problem of such a pattern; undefined if it is valid. */
export function namespacePatternProblem(pattern: string): string | undefined {
  const expression = expressionIn(pattern);
  return expression === undefined ? globProblem(pattern) : expressionProblem(expression);
}

/** Whether the controller reconciles Applications of a namespace: its own, and those that `application.namespaces` names. */
export const isWatchedNamespace = (
  settings: { readonly namespace: string; readonly applicationNamespaces?: readonly string[] },
  namespace: string,
): boolean => namespace === settings.namespace || isNamespaceNamed(settings.applicationNamespaces ?? [], namespace);
