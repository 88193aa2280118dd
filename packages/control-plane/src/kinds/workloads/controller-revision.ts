import { equalJson, type FieldError, fieldError, type Json } from '@fairlead/apimachinery';
import type { Draft, KindRules } from '../../resource.ts';
import { isImmutable, nonNegative } from './checks.ts';

const revision = (draft: Draft): FieldError[] => [...nonNegative(draft['revision'] as number | undefined, 'revision')];

export const controllerRevisionRules: KindRules<Draft> = {
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
  validateUpdate(draft, old) {
    const { data } = draft;
    // To the letter: in what a revision remembers, an empty list is not the same as none.
    const changed = equalJson(data as Json | undefined, old['data'] as Json | undefined)
      ? []
      : [fieldError.invalid('data', data, isImmutable)];
    return [...revision(draft), ...changed];
  },
};
