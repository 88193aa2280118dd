import { messageOf } from '@fairlead/apimachinery';
import { globProblem, matchesGlob } from '../glob.ts';

const expressionIn = (pattern: string): string | undefined => /^\/(.+)\/$/u.exec(pattern)?.[1];

/** Whether a namespace is among those that patterns name: globs, or `/regular expressions/`. One that cannot be read names nobody. */
export const isNamespaceNamed = (patterns: readonly string[], namespace: string): boolean =>
  patterns.some((pattern) => {
    const expression = expressionIn(pattern);
    if (expression === undefined) return matchesGlob(pattern, namespace);
    return namespacePatternProblem(pattern) === undefined && new RegExp(expression, 'u').test(namespace);
  });

/** What is wrong with such a pattern; undefined when nothing is. */
export function namespacePatternProblem(pattern: string): string | undefined {
  const expression = expressionIn(pattern);
  if (expression === undefined) return globProblem(pattern);
  try {
    new RegExp(expression, 'u');
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Whether the controller reconciles Applications of a namespace: its own, and those that `application.namespaces` names. */
export const isWatchedNamespace = (
  settings: { readonly namespace: string; readonly applicationNamespaces?: readonly string[] },
  namespace: string,
): boolean => namespace === settings.namespace || isNamespaceNamed(settings.applicationNamespaces ?? [], namespace);
