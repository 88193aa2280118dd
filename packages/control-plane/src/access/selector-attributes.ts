import {
  type FieldError,
  fieldError,
  type LabelSelectorRequirement,
  validateLabelRequirement,
} from '@fairlead/apimachinery';

/** The selectors in an access review. */
export interface SelectorAttributes {
  rawSelector?: string;
  requirements?: LabelSelectorRequirement[];
}

/** Unknown operators are accepted: a newer client may use them. */
export function validateSelectors(
  attributes: { fieldSelector?: SelectorAttributes; labelSelector?: SelectorAttributes },
  path: string,
): FieldError[] {
  const { fieldSelector, labelSelector } = attributes;
  return [
    ...validateSelector(fieldSelector, `${path}.fieldSelector`, validateFieldRequirement),
    ...validateSelector(labelSelector, `${path}.labelSelector`, (requirement, at) =>
      validateLabelRequirement(requirement, at, { allowUnknownOperators: true }),
    ),
  ];
}

function validateSelector(
  selector: SelectorAttributes | undefined,
  path: string,
  validate: (requirement: LabelSelectorRequirement, path: string) => FieldError[],
): FieldError[] {
  if (!selector) return [];
  const { rawSelector, requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (rawSelector && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements';
    errors.push(fieldError.invalid(`${path}.rawSelector`, rawSelector, detail));
  }
  if (!rawSelector && requirements.length === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(fieldError.required(`${path}.requirements`, detail));
  }
  for (const [index, requirement] of requirements.entries()) {
    errors.push(...validate(requirement, `${path}.requirements[${index}]`));
  }
  return errors;
}

/** Any text may be the key of a field, or a value. */
function validateFieldRequirement(
  { key, operator, values = [] }: LabelSelectorRequirement,
  path: string,
): FieldError[] {
  const valuesOnly = validateLabelRequirement({ key: 'key', ...(operator ? { operator } : {}), values }, path, {
    allowUnknownOperators: true,
    allowInvalidValues: true,
  });
  return [...(key ? [] : [fieldError.required(`${path}.key`, 'must be specified')]), ...valuesOnly];
}
