import { type FieldError, fieldError } from './field-error.ts';
import { invalidEach, labelValue, qualifiedName } from './names.ts';

export interface LabelSelectorRequirement {
  key?: string;
  operator?: string;
  values?: readonly string[];
}

export interface LabelSelector {
  matchLabels?: Readonly<Record<string, string>>;
  matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorOptions {
  /** For updates of objects that already have such a value. */
  readonly allowInvalidValues?: boolean;
  /** For requests of newer clients. */
  readonly allowUnknownOperators?: boolean;
}

export function validateLabels(
  labels: Readonly<Record<string, string>> | null | undefined,
  path: string,
): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...invalidEach(path, key, qualifiedName(key)),
    ...invalidEach(path, value, labelValue(value)),
  ]);
}

export function validateLabelSelector(
  selector: LabelSelector | null | undefined,
  path: string,
  options: LabelSelectorOptions = {},
): FieldError[] {
  if (!selector) return [];
  return [
    ...validateLabels(selector.matchLabels, `${path}.matchLabels`),
    ...(selector.matchExpressions ?? []).flatMap((requirement, index) =>
      validateLabelRequirement(requirement, `${path}.matchExpressions[${index}]`, options),
    ),
  ];
}

export function validateLabelRequirement(
  requirement: LabelSelectorRequirement,
  path: string,
  options: LabelSelectorOptions,
): FieldError[] {
  const { key = '', operator = '' } = requirement;
  const values = requirement.values ?? [];
  const errors: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(fieldError.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(fieldError.forbidden(`${path}.values`, detail));
    }
  } else if (!options.allowUnknownOperators) {
    errors.push(fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  errors.push(...invalidEach(`${path}.key`, key, qualifiedName(key)));
  if (options.allowInvalidValues) return errors;
  return [
    ...errors,
    ...values.flatMap((value, index) => invalidEach(`${path}.values[${index}]`, value, labelValue(value))),
  ];
}

const annotationLimit = 256 * 1024;

export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | null | undefined,
  path: string,
): FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const errors = entries.flatMap(([key]) => invalidEach(path, key, qualifiedName(key.toLowerCase())));
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return size > annotationLimit ? [...errors, fieldError.tooLong(path, annotationLimit)] : errors;
}
