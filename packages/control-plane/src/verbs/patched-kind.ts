import { apiVersionOf, fieldError, type JsonObject } from '@fairlead/apimachinery';
import type { PatchType } from '@fairlead/kube';
import { refuse } from '../errors.ts';
import type { Resource } from '../resource.ts';

/**
 * Compares the kind and apiVersion of a patched object with the resource. A strategic merge patch cannot change them; after another
 * patch a built-in kind may be missing, and for a custom resource a mismatch is an error that names the expected one. Undefined if the
 * object cannot be decoded as the kind it names.
 */
export function ownKind(
  patched: JsonObject,
  resource: Resource,
  type: PatchType,
  name: string,
): JsonObject | undefined {
  const apiVersion = apiVersionOf(resource);
  const { kind } = resource;
  if (patched['kind'] === kind && patched['apiVersion'] === apiVersion) return patched;
  if (type === 'strategic') return { ...patched, apiVersion, kind };
  if (!resource.custom) {
    // Without a version it is decoded without any fields.
    if (!patched['apiVersion'] && patched['kind'] === kind) return { apiVersion, kind };
    if (patched['apiVersion'] !== apiVersion) return undefined;
    return patched['kind'] ? undefined : { ...patched, kind };
  }
  const [saidKind, saidVersion] = [patched['kind'], patched['apiVersion']];
  if (typeof saidKind !== 'string' || typeof saidVersion !== 'string' || !saidKind || !saidVersion) return undefined;
  const group = saidVersion.includes('/') ? saidVersion.split('/')[0]! : '';
  throw refuse.invalid({ group, kind: saidKind }, name, [
    ...(saidKind === kind ? [] : [fieldError.invalid('kind', saidKind, `must be ${kind}`)]),
    ...(saidVersion === apiVersion ? [] : [fieldError.invalid('apiVersion', saidVersion, `must be ${apiVersion}`)]),
  ]);
}
