import { apiVersionOf, fieldError, type JsonObject } from '@fairlead/apimachinery';
import type { PatchType } from '@fairlead/kube';
import { refuse } from '../errors.ts';
import type { Resource } from '../resource.ts';

/**
 * What a patched object says that it is, held against what was patched. A strategic merge patch cannot change that, whatever it says;
 * after another patch a built-in kind may be missing, and a custom resource is told what it must be. Undefined where the object cannot
 * be read at all under what it says.
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
    // Without a version it is read as of none, where it has no fields at all.
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
