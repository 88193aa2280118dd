import type { ApplicationRef, LabelSelectors } from '@fairlead/api';
import { BadPattern, pathMatcher, selectorFromObject, validateLabelSelector } from '@fairlead/apimachinery';
import { ImagesError } from '../images-error.ts';

/** Throws an ImagesError if the pattern is invalid. */
export function nameMatches(name: string, pattern: string): boolean {
  try {
    return pathMatcher(pattern)(name);
  } catch (error) {
    if (error instanceof BadPattern) throw new ImagesError('InvalidSettings', `namePattern: ${error.message}`);
    throw error;
  }
}

/** An invalid selector selects nothing, so that a mistake cannot select every Application. */
export const selectsLabels = (
  labels: Readonly<Record<string, string>>,
  selector: LabelSelectors | undefined,
): boolean =>
  validateLabelSelector(selector, 'labelSelectors').length === 0 && selectorFromObject(selector).matches(labels);

/** How specific a rule is: an exact name before a pattern, then labels, then the number of literal characters. */
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

/** Most specific first; equal rules keep their order. */
export const orderRefs = <T extends Pick<ApplicationRef, 'namePattern' | 'labelSelectors'>>(refs: readonly T[]): T[] =>
  refs.toSorted((a, b) => specificity(b) - specificity(a));
