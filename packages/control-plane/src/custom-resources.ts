import { formatTime } from '@fairlead/apimachinery';
import {
  cleanupFinalizer,
  type Definition,
  isEstablished,
  nextStatus,
  resourcesOf,
  setCleanupProgress,
  storageOf,
} from './crd/index.ts';
import { underQuota } from './kinds/index.ts';
import type { User } from './resource.ts';
import type { StorageEvent } from './storage/storage.ts';
import type { Api, WriteRequest } from './verbs/api.ts';
import { deleteObject } from './verbs/delete.ts';
import { updateObject } from './verbs/update.ts';

const storageName = 'apiextensions.k8s.io/customresourcedefinitions';

/** Watches the CRDs: accepts their names, serves their resources, and deletes the objects of deleted ones. */
export function serveCustomResources(api: Api, user: User): { stop(): void } {
  const definitions = (): Definition[] =>
    [...api.storage.heads(storageName)].map((stored) => stored.object as Definition);
  const request = (name: string, subresource: string): WriteRequest => ({
    resource: api.registry.stored(storageName)!,
    namespace: '',
    name,
    subresource,
    user,
    manager: 'kube-apiserver',
    dryRun: false,
    warn: () => {},
  });
  const change = (name: string, subresource: string, edit: (definition: Definition) => void): void => {
    if (!api.storage.head(storageName, '', name)) return;
    updateObject(api, request(name, subresource), {
      transform(old) {
        edit(old as unknown as Definition);
        return old;
      },
    });
  };

  const settle = (definition: Definition): void => {
    const name = definition.metadata.name;
    const status = nextStatus(definition, definitions(), formatTime(api.clock.now()));
    if (status) change(name, 'status', (next) => Object.assign(next, { status }));
    if (isEstablished(definition)) {
      const currentFrom = api.storage.headRevision;
      api.registry.serve(
        name,
        resourcesOf(definition).map((resource) => underQuota({ ...resource, currentFrom })),
      );
    }
    if (definition.metadata.deletionTimestamp && definition.metadata.finalizers?.includes(cleanupFinalizer))
      empty(definition);
  };

  /** Deletes the objects of a terminating CRD; after the last one, the CRD is removed. */
  const empty = (definition: Definition): void => {
    const resource = api.registry.stored(storageOf(definition));
    if (resource) {
      for (const stored of [...api.storage.heads(resource.storage)]) {
        if (stored.object.metadata.deletionTimestamp) continue;
        deleteObject(api, { ...request(stored.name, ''), resource, namespace: stored.namespace }, {});
      }
    }
    const remaining = resource ? [...api.storage.heads(resource.storage)].length : 0;
    const progress = (next: Definition) => setCleanupProgress(next, remaining, formatTime(api.clock.now()));
    change(definition.metadata.name, 'status', progress);
    if (remaining === 0) change(definition.metadata.name, '', progress);
    else {
      const watch = api.storage.watch(resource!.storage, api.storage.revision, (event) => {
        if (event.type !== 'DELETED') return;
        watch?.stop();
        queueMicrotask(() => revisit(definition.metadata.name));
      });
    }
  };
  const revisit = (name: string): void => {
    const stored = api.storage.head(storageName, '', name);
    if (stored) settle(stored.object as Definition);
  };

  const follow = (event: StorageEvent): void => {
    const { name } = event.stored;
    if (event.type === 'DELETED') {
      api.registry.serve(name, []);
      for (const other of definitions()) revisit(other.metadata.name);
    } else revisit(name);
  };
  for (const definition of definitions()) settle(definition);
  const watch = api.storage.watch(storageName, api.storage.revision, follow);
  return { stop: () => watch?.stop() };
}
