import type { LabelSelectorSpec } from '@fairlead/api';
import {
  describe,
  type FieldError,
  fieldError,
  labelValue,
  qualifiedName,
  selectorFromObject,
} from '@fairlead/apimachinery';
import { GeneratorError } from './generator-error.ts';

export type Matches = (labels: Readonly<Record<string, string>>) => boolean;

/**
 * A selector over parameters or labels. Values of parameters may be any text, such as an address. Errors have the messages of the two
 * libraries of Kubernetes.
 */
export function selectorOf(selector: LabelSelectorSpec | undefined, over: 'parameters' | 'labels'): Matches {
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) check(key, 'Equals', [value], over);
  for (const { key, operator, values = [] } of selector?.matchExpressions ?? []) {
    if (!operators.has(operator)) {
      const kind = over === 'parameters' ? 'pod' : 'label';
      throw new GeneratorError(`${JSON.stringify(operator)} is not a valid ${kind} selector operator`);
    }
    check(key, operator, values ?? [], over);
  }
  const compiled = selectorFromObject(selector);
  return (labels) => compiled.matches(labels);
}

const operators: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

function check(key: string, operator: string, values: readonly string[], over: 'parameters' | 'labels'): void {
  const errors: FieldError[] = [];
  const wrongKey = qualifiedName(key);
  if (wrongKey.length > 0) errors.push(fieldError.invalid('key', key, wrongKey.join('; ')));
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
    errors.push(fieldError.invalid('values', null, "for 'in', 'notin' operators, values set can't be empty"));
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    errors.push(fieldError.invalid('values', values, 'values set must be empty for exists and does not exist'));
  for (const [i, value] of over === 'labels' ? values.entries() : []) {
    const wrong = labelValue(value);
    if (wrong.length > 0) errors.push(fieldError.invalid(`values[${i}][${key}]`, value, wrong.join('; ')));
  }
  if (errors.length > 0) throw new GeneratorError(describe(errors));
}
