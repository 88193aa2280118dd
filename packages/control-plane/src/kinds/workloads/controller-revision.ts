import { type FieldError, fieldError } from '../../field-error.ts';
import type { Draft, KindRules } from '../../resource.ts';
import { immutable, nonNegative } from './checks.ts';

const revision = (draft: Draft): FieldError[] => [...nonNegative(draft['revision'] as number | undefined, 'revision')];

export const controllerRevisionRules: KindRules = {
  metadataOnUpdate: ['update', 'create'],
  validate(draft, { operation }) {
    if (operation !== 'create') return [];
    const data = draft['data'];
    const errors = revision(draft);
    if (data == null) errors.push(fieldError.required('data', 'data is mandatory'));
    else if (typeof data !== 'object' || Array.isArray(data)) {
      errors.push(fieldError.required('data', 'data must be a valid JSON object'));
    }
    return errors;
  },
  validateUpdate: (draft, old) => [...revision(draft), ...immutable(draft['data'], old['data'], 'data')],
};
