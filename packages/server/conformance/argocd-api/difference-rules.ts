import { isObject, type Json, type JsonObject, listAt, textAt } from '@fairlead/apimachinery';

/**
 * Where the status of an Application differs on purpose, because of the controller: the recording and the answer are brought to what both
 * have. `docs/differences.md` has the reason for each.
 */
export function withoutDifferences(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDifferences);
  if (typeof value === 'string') return withoutHash(value);
  if (!isObject(value)) return value;
  const changed = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, common(key, item)]));
  return isApplicationStatus(changed) ? commonStatus(changed) : changed;
}

/** `ownEventSource`: the component that reports events about Applications. */
function common(key: string, item: Json): Json {
  if (/(?:^|\/)source$/u.test(key) && /"component":"(?:argocd|fairlead)/u.test(JSON.stringify(item))) return '<varies>';
  return key === 'pod-template-hash' ? '<hash>' : withoutDifferences(item);
}

/** `templateHash`: the hash of a pod template depends on the version of Kubernetes. It has no vowels. */
const withoutHash = (text: string): string =>
  text.replace(/(?<=[a-z]-)(?=[a-z]*\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}(?![\w])/gu, '<hash>');

/** `noPanics`: a request on which Argo CD's server panics is answered. */
export const isPanic = (body: Json | undefined): boolean =>
  isObject(body) && /^runtime error: /u.test(textAt(body, 'message'));

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
