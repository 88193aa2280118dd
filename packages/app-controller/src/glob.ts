import { globMatcher, messageOf } from '@fairlead/apimachinery';

const matchers = new Map<string, ((text: string) => boolean) | undefined>();

/** Whether a glob of a project or a setting matches a text. An invalid one matches nothing: `globProblem` reports it. */
export function matchesGlob(pattern: string, text: string, separator = ''): boolean {
  if (pattern === '*' && separator === '') return true;
  const key = `${separator} ${pattern}`;
  if (!matchers.has(key)) {
    if (matchers.size > 10_000) matchers.clear();
    matchers.set(key, compiled(pattern, separator));
  }
  return matchers.get(key)?.(text) ?? false;
}

function compiled(pattern: string, separator: string): ((text: string) => boolean) | undefined {
  try {
    return globMatcher(pattern, separator);
  } catch {
    return undefined;
  }
}

/** The problem of a glob; undefined if it is valid. */
export function globProblem(pattern: string): string | undefined {
  try {
    globMatcher(pattern);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
