import { fieldError } from '../../field-error.ts';
import { type LabelSelector, labelValue, qualifiedName, validateLabelSelector } from '../../metadata/names.ts';
import type { Findings } from './checks.ts';
import { isEmptySelector } from './template.ts';

/** Whether a selector can be evaluated at all: a value may be odd, an operator or a key may not. */
export function isUsable(selector: LabelSelector | null | undefined): boolean {
  const labels = Object.entries(selector?.matchLabels ?? {});
  if (labels.some(([key, value]) => qualifiedName(key).length + labelValue(value).length > 0)) return false;
  return (selector?.matchExpressions ?? []).every(({ key = '', operator = '', values = [] }) => {
    if (qualifiedName(key).length > 0 || values.some((value) => labelValue(value).length > 0)) return false;
    if (operator === 'In' || operator === 'NotIn') return values.length > 0;
    return (operator === 'Exists' || operator === 'DoesNotExist') && values.length === 0;
  });
}

/** The selector of a kind that must have one. */
export function* requiredSelector(selector: LabelSelector | null | undefined, path: string, owner: string): Findings {
  if (!selector) return yield fieldError.required(path);
  yield* validateLabelSelector(selector, path);
  if (isEmptySelector(selector)) yield fieldError.invalid(path, selector, `empty selector is invalid for ${owner}`);
}
