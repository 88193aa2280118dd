import type { ObjectMeta } from '@fairlead/kube';
import { type FieldError, fieldError } from '../field-error.ts';

const path = 'metadata.ownerReferences';

export function validateOwners(meta: ObjectMeta): FieldError[] {
  const owners = meta.ownerReferences ?? [];
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const owner of owners) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = owner;
    const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
    if (!version) errors.push(fieldError.invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
    for (const [field, value] of Object.entries({ kind, name, uid })) {
      if (!value) errors.push(fieldError.invalid(`${path}.${field}`, '', 'must not be empty'));
    }
    if (apiVersion === 'v1' && kind === 'Event') {
      errors.push(fieldError.invalid(path, owner, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (owner.controller !== true) continue;
    const described = `${kind}/${name}`;
    if (controller) {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${described}`;
      errors.push(fieldError.invalid(path, owners, detail));
    } else controller = described;
  }
  return errors;
}
