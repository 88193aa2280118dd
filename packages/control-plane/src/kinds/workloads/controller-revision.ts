import { equalJson, type FieldError, fieldError, type KubeObject } from '@fairlead/apimachinery';
import type { KindRules } from '../../resource.ts';
import { isImmutable, nonNegative } from './checks.ts';

interface ControllerRevision extends KubeObject {
  revision?: number;
  data?: unknown;
}

const revisionErrors = ({ revision }: ControllerRevision): FieldError[] => [...nonNegative(revision, 'revision')];

export const controllerRevisionRules: KindRules<ControllerRevision> = {
  metadataOnUpdate: ['update', 'create'],
  validate(draft, { operation }) {
    if (operation !== 'create') return [];
    const { data } = draft;
    const errors = revisionErrors(draft);
    if (data == null) errors.push(fieldError.required('data', 'data is mandatory'));
    else if (typeof data !== 'object' || Array.isArray(data)) {
      errors.push(fieldError.required('data', 'data must be a valid JSON object'));
    }
    return errors;
  },
  validateUpdate(draft, old) {
    const { data } = draft;
    // Exact equality: in the data of a revision an empty list differs from an absent one.
    const changed = equalJson(data, old.data) ? [] : [fieldError.invalid('data', data, isImmutable)];
    return [...revisionErrors(draft), ...changed];
  },
};
