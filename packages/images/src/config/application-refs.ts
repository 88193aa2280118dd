import type { ApplicationRef, LabelSelectors } from '@fairlead/api';
import { ImagesError } from '../images-error.ts';
import { BadPattern, pathMatcher } from '../tags/path-match.ts';

/** Throws for a pattern that cannot be read. */
export function nameMatches(name: string, pattern: string): boolean {
  try {
    return pathMatcher(pattern)(name);
  } catch (error) {
    if (error instanceof BadPattern) throw new ImagesError('InvalidSettings', `namePattern: ${error.message}`);
    throw error;
  }
}

/** Any of the patterns, or there are none. One that cannot be read matches nothing. */
export function nameMatchesAny(name: string, patterns: readonly string[]): boolean {
  return (
    patterns.length === 0 ||
    patterns.some((pattern) => {
      try {
        return nameMatches(name, pattern);
      } catch {
        return false;
      }
    })
  );
}

/** A selector that makes no sense selects nothing: it must not become one that selects all. */
export function labelsMatch(labels: Readonly<Record<string, string>>, selector: LabelSelectors | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
      switch (operator) {
        case 'In':
          return value !== undefined && values.includes(value);
        case 'NotIn':
          return values.length > 0 && (value === undefined || !values.includes(value));
        case 'Exists':
          return values.length === 0 && value !== undefined;
        case 'DoesNotExist':
          return values.length === 0 && value === undefined;
        default:
          return false;
      }
    })
  );
}

/** How narrowly a rule selects: a full name before a pattern, labels before none, more letters before fewer. */
export function specificity({
  namePattern,
  labelSelectors,
}: Pick<ApplicationRef, 'namePattern' | 'labelSelectors'>): number {
  const exact = /[*?[\]]/u.test(namePattern) ? 0 : 1_000_000;
  const letters = Buffer.byteLength(namePattern.replaceAll(/\[.*?\]/gu, '').replaceAll(/[*?]/gu, ''));
  if (!labelSelectors) return exact + letters;
  const conditions =
    Object.keys(labelSelectors.matchLabels ?? {}).length + (labelSelectors.matchExpressions ?? []).length;
  return exact + letters + 10_000 + conditions * 100;
}

/** The most specific first; equal ones stay in their order. */
export const orderRefs = <T extends Pick<ApplicationRef, 'namePattern' | 'labelSelectors'>>(refs: readonly T[]): T[] =>
  refs.toSorted((a, b) => specificity(b) - specificity(a));
