import { equalJson, type FieldError, fieldError, type ObjectMeta } from '@fairlead/apimachinery';

const path = 'metadata.ownerReferences';

export function validateOwners(meta: ObjectMeta): FieldError[] {
  const owners = meta.ownerReferences ?? [];
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const owner of owners) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = owner;
    const parts = apiVersion.split('/');
    if (parts.length > 2 || !parts.at(-1))
      errors.push(fieldError.invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
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

/** Removes duplicate owners, with a warning. `late`: they result from changes on the server. */
export function dropRepeatedOwners(meta: ObjectMeta, to: { warn(text: string): void }, late = false): void {
  const owners = meta.ownerReferences;
  if (!owners || owners.length < 2) return;
  const kept = owners.filter(
    (owner, at) => owners.findIndex((other) => equalJson(other as never, owner as never)) === at,
  );
  if (kept.length === owners.length) return;
  const repeated = owners.filter((owner) => !kept.includes(owner)).map((owner) => owner.uid);
  meta.ownerReferences = kept;
  const when = late ? ' after mutating admission happens' : '';
  to.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  );
}
