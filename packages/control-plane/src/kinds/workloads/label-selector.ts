import {
  fieldError,
  type LabelSelector,
  labelValue,
  qualifiedName,
  selectorFromObject,
  validateLabelSelector,
} from '@fairlead/apimachinery';
import { type Findings, isImmutable } from './checks.ts';
import { same } from './equality.ts';

export const selects = (selector: LabelSelector, labels: Record<string, string> | undefined): boolean =>
  selectorFromObject(selector).matches(labels);

export const isEmptySelector = (selector: LabelSelector): boolean =>
  Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;

/** A map in the format of messages: sorted by key. */
export const shownMap = (map: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));

/** A selector in the format of messages. */
export function shownSelector(selector: LabelSelector | null | undefined): LabelSelector | null {
  if (!selector) return null;
  const { matchLabels, matchExpressions } = selector;
  return {
    ...(matchLabels ? { matchLabels: shownMap(matchLabels) } : {}),
    ...(matchExpressions
      ? {
          matchExpressions: matchExpressions.map(({ key = '', operator = '', values }) => ({
            key,
            operator,
            ...(values ? { values } : {}),
          })),
        }
      : {}),
  };
}

export function* fixedSelector(
  selector: LabelSelector | null | undefined,
  old: LabelSelector | null | undefined,
  path: string,
): Findings {
  if (!same(selector, old)) yield fieldError.invalid(path, shownSelector(selector), isImmutable);
}

/** Whether a selector can be evaluated: an unusual value is accepted, an invalid operator or key is not. */
export function isUsable(selector: LabelSelector | null | undefined): boolean {
  const labels = Object.entries(selector?.matchLabels ?? {});
  if (labels.some(([key, value]) => qualifiedName(key).length + labelValue(value).length > 0)) return false;
  return (selector?.matchExpressions ?? []).every(({ key = '', operator = '', values = [] }) => {
    if (qualifiedName(key).length > 0 || values.some((value) => labelValue(value).length > 0)) return false;
    if (operator === 'In' || operator === 'NotIn') return values.length > 0;
    return (operator === 'Exists' || operator === 'DoesNotExist') && values.length === 0;
  });
}

/** The selector of a kind that requires one. */
export function* requiredSelector(selector: LabelSelector | null | undefined, path: string, owner: string): Findings {
  if (!selector) return yield fieldError.required(path);
  yield* validateLabelSelector(selector, path);
  if (isEmptySelector(selector))
    yield fieldError.invalid(path, shownSelector(selector), `empty selector is invalid for ${owner}`);
}
