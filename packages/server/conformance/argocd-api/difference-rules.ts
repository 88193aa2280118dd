import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from '@fairlead/apimachinery';
import type { Step } from './api-case.ts';

/**
 * Answers that are not compared, because the recorded one is a defect:
 *
 * - `undecodedAddress`: Argo CD never decodes the address in `/repositories/ADDRESS/validate`, so that every test of a repository fails. Requests
 *   that are refused before are compared.
 * - `nilPointer`: a request without a body made it panic.
 */
export function isDefect({ path = '', expect = {} }: Step): boolean {
  if (textAt(expect.body, 'message').includes('nil pointer dereference')) return true;
  return /^\/api\/v1\/repositories\/[^/]+\/validate/u.test(path) && expect.status === 500;
}

/**
 * Where the status of an Application differs on purpose, because of the controller: the recording and the answer are brought to what both
 * have. `docs/differences.md` has the reason for each.
 */
export function withoutDifferences(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDifferences);
  if (!isObject(value)) return value;
  const changed = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutDifferences(item)]));
  if (isCluster(changed)) return commonCluster(changed);
  return isApplicationStatus(changed) ? commonStatus(changed) : changed;
}

const isCluster = (value: JsonObject): boolean => typeof value['server'] === 'string' && isObject(value['info']);

/** `ownCluster`: the cluster of the run has another patch version than the recorded one, and not the same definitions of custom resources. */
function commonCluster(cluster: JsonObject): JsonObject {
  const withVersion = (value: JsonObject): JsonObject =>
    value['serverVersion'] === undefined ? value : { ...value, serverVersion: '<value>' };
  const info = objectAt(cluster, 'info') ?? {};
  const builtIn = listAt(info, 'apiVersions').filter(
    (name) => !/^(?:argoproj\.io|sim\.fairlead\.dev)\//u.test(String(name)),
  );
  const kinds = builtIn.length > 0 ? { apiVersions: builtIn } : {};
  return { ...withVersion(cluster), info: { ...withVersion(info), ...kinds } };
}

const isApplicationStatus = (value: JsonObject): boolean => isObject(value['sync']) && isObject(value['health']);

/** Conditions that Argo CD does not have. */
const ownConditions = /^(?:NotHealthy|OutOfSync|SyncWindow|.*Warning)$/u;

/**
 * - `ownConditions`: the controller states why an Application is not Synced or not Healthy.
 * - `noReconciledAt`: a refresh without changes writes nothing.
 * - `storedHealth`: the health of resources is part of the status.
 */
function commonStatus(status: JsonObject): JsonObject {
  const { conditions: _, reconciledAt: __, resourceHealthSource: ___, ...rest } = status;
  const shared = listAt(status, 'conditions').filter((one) => !ownConditions.test(textAt(one, 'type')));
  const resources = listAt(status, 'resources').map((one) => {
    if (!isObject(one)) return one;
    const { health: ____, ...other } = one;
    return other;
  });
  return {
    ...rest,
    ...(shared.length > 0 ? { conditions: shared } : {}),
    ...(resources.length > 0 ? { resources } : {}),
  };
}
