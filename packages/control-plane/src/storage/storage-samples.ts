import type { KubeObject } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import type { Storage, Stored } from './storage.ts';

export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export function manualClock(): ManualClock {
  let now = 1_000_000;
  return {
    now: () => now,
    after: () => () => {},
    advance(ms) {
      now += ms;
    },
  };
}

export function put(storage: Storage, name: string, value = '', namespace = 'ns', resource = 'core/configmaps') {
  return storage.commit({
    kind: 'put',
    resource,
    namespace,
    name,
    object: (revision) => objectOf(namespace, name, value, revision),
  });
}

export function remove(storage: Storage, name: string, namespace = 'ns', resource = 'core/configmaps') {
  return storage.commit({
    kind: 'delete',
    resource,
    namespace,
    name,
    object: (revision) => objectOf(namespace, name, 'last', revision),
  });
}

export const objectOf = (namespace: string, name: string, value: string, revision: number): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name, uid: `uid-${name}`, resourceVersion: String(revision) },
    data: { value },
  }) as KubeObject;

export const dataOf = (stored: Stored | undefined): string | undefined =>
  (stored?.object as unknown as { data: { value: string } } | undefined)?.data.value;
