import {
  type JsonObject,
  type KubeObject,
  type ObjectKey,
  parseFieldSelector,
  parseLabelSelector,
  type ResourceType,
  type Status,
} from '@fairlead/apimachinery';
import type {
  ApiClient,
  DeleteOptions,
  ListOptions,
  ObjectList,
  PatchOptions,
  PatchType,
  ReadOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '@fairlead/kube';
import { refuse } from './errors.ts';
import type { Resource, User } from './resource.ts';
import { type Api, draftCopy, viewOf, type WriteRequest } from './verbs/api.ts';
import { bindPod } from './verbs/bind-pod.ts';
import { createObject } from './verbs/create.ts';
import { deleteObject } from './verbs/delete.ts';
import { listObjects } from './verbs/list.ts';
import { mergeObject, patchObject } from './verbs/patch.ts';
import { readScale, replaceScale } from './verbs/scale.ts';
import { updateObject } from './verbs/update.ts';
import { watchObjects } from './verbs/watch.ts';

export interface LocalClientOptions {
  /** Its objects are in canonical form: patches are not decoded again. Only for the busiest writers. */
  readonly canonical?: boolean;
}

/**
 * The API in process, for components of the control plane. The rules are those of the HTTP server, without access control and strict
 * decoding: objects are trusted to be well formed. Returned objects are shared: never mutate them.
 */
export function createLocalClient(api: Api, user: User, manager: string, options: LocalClientOptions = {}): ApiClient {
  const { canonical = false } = options;
  const find = (type: ResourceType): Resource => {
    const resource = api.registry.resource(type.group, type.version, type.plural);
    if (!resource) throw refuse.noSuchResource();
    return resource;
  };
  const request = (
    type: ResourceType,
    key: { namespace?: string; name: string },
    options: WriteOptions = {},
  ): WriteRequest => {
    const resource = find(type);
    return {
      resource,
      namespace: resource.namespaced ? (key.namespace ?? '') : '',
      name: key.name,
      subresource: options.subresource ?? '',
      user,
      manager: options.fieldManager ?? manager,
      dryRun: options.dryRun ?? false,
      warn: () => {},
    };
  };

  const client: ApiClient = {
    async get<T extends KubeObject>(
      type: ResourceType,
      key: ObjectKey,
      options?: ReadOptions & { subresource?: string },
    ) {
      const resource = find(type);
      const stored = api.storage.get(resource.storage, resource.namespaced ? (key.namespace ?? '') : '', key.name);
      if (!stored) throw refuse.notFound(resource, key.name);
      const object = viewOf(resource, stored);
      return (options?.subresource === 'scale' ? readScale(resource, object) : object) as T;
    },

    async list<T extends KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ObjectList<T>> {
      const resource = find(type);
      const page = listObjects(api, {
        resource,
        namespace: options.namespace ?? '',
        labels: parseLabelSelector(options.labelSelector ?? ''),
        fields: parseFieldSelector(options.fieldSelector ?? '', resource),
        limit: options.limit ?? 0,
        continue: options.continue ?? '',
        resourceVersion: options.resourceVersion ?? '',
        resourceVersionMatch: options.resourceVersionMatch ?? '',
      });
      return {
        items: page.items.map((stored) => viewOf(resource, stored) as T),
        resourceVersion: String(page.revision),
        ...(page.continue ? { continue: page.continue } : {}),
      };
    },

    watch<T extends KubeObject>(type: ResourceType, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
      return localWatch<T>(api, find(type), options);
    },

    async create<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
      const key = { name: '', ...(object.metadata.namespace ? { namespace: object.metadata.namespace } : {}) };
      const target = request(type, key, options);
      const draft = draftCopy(object);
      if (target.resource.storage === 'core/pods' && options.subresource === 'binding') {
        const bound = bindPod(api, { ...target, name: object.metadata.name }, draft);
        await bound.durable;
        return bound.object as unknown as T;
      }
      const written = createObject(api, target, draft);
      await written.durable;
      return written.object as unknown as T;
    },

    async replace<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
      const target = request(type, object.metadata, options);
      const draft = draftCopy(object);
      const written =
        options.subresource === 'scale'
          ? replaceScale(api, target, draft)
          : updateObject(api, target, {
              transform: () => draft,
              replaces: true,
              ...(target.resource.createOnUpdate ? { create: () => draft } : {}),
            });
      await written.durable;
      return written.object as unknown as T;
    },

    async patch<T extends KubeObject>(
      type: ResourceType,
      key: ObjectKey,
      patchType: PatchType,
      body: unknown,
      options: PatchOptions = {},
    ): Promise<T> {
      const target = request(type, key, options);
      const written =
        canonical && patchType === 'merge'
          ? mergeObject(api, target, body as JsonObject)
          : patchObject(api, target, patchType, JSON.stringify(body), {
              force: options.force ?? false,
              fieldValidation: options.fieldValidation ?? 'Ignore',
            });
      await written.durable;
      return written.object as unknown as T;
    },

    async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<KubeObject | Status> {
      const { answer, durable } = deleteObject(
        api,
        { ...request(type, key), dryRun: options.dryRun ?? false },
        {
          ...(options.propagationPolicy ? { propagation: options.propagationPolicy } : {}),
          ...(options.gracePeriodSeconds !== undefined ? { graceSeconds: options.gracePeriodSeconds } : {}),
          ...(options.preconditions ?? {}),
        },
      );
      await durable;
      return answer;
    },

    async deleteCollection(type: ResourceType, options: ListOptions & DeleteOptions = {}): Promise<void> {
      const { items } = await client.list(type, options);
      await Promise.all(items.map((item) => client.delete(type, item.metadata, options)));
    },
  };
  return client;
}

async function* localWatch<T extends KubeObject>(
  api: Api,
  resource: Resource,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>> {
  const queue: WatchEvent<T>[] = [];
  let wake = () => {};
  let ended = false;
  const push = (event: WatchEvent<T>) => {
    queue.push(event);
    wake();
  };
  const watch = watchObjects(
    api,
    {
      resource,
      namespace: options.namespace ?? '',
      labels: parseLabelSelector(options.labelSelector ?? ''),
      fields: parseFieldSelector(options.fieldSelector ?? '', resource),
      resourceVersion: options.resourceVersion ?? '',
      sendInitialEvents: options.sendInitialEvents,
      bookmarks: options.allowWatchBookmarks ?? false,
    },
    {
      event: (type, stored) => push({ type, object: viewOf(resource, stored) as T }),
      bookmark: (revision, end) =>
        push({
          type: 'BOOKMARK',
          object: {
            metadata: {
              resourceVersion: String(revision),
              ...(end ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
            },
          },
        }),
      failed({ status }) {
        push({ type: 'ERROR', object: status });
        ended = true;
      },
    },
  );
  const stop = () => {
    ended = true;
    wake();
  };
  options.signal?.addEventListener('abort', stop, { once: true });
  const cancelTimeout = options.timeoutSeconds ? api.clock.after(options.timeoutSeconds * 1000, stop) : () => {};
  let cancelBookmark = () => {};
  const bookmark = () => {
    push({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(watch.progress()) } } });
    cancelBookmark = api.clock.after(60_000, bookmark);
  };
  if (options.allowWatchBookmarks) cancelBookmark = api.clock.after(60_000, bookmark);
  try {
    for (;;) {
      while (queue.length > 0) yield queue.shift()!;
      if (ended || options.signal?.aborted) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    watch.stop();
    cancelTimeout();
    cancelBookmark();
    options.signal?.removeEventListener('abort', stop);
  }
}
