import { apiError, type KubeObject, type ObjectKey, objectAt, type ResourceType, textAt } from '@fairlead/apimachinery';
import type { ApiClient, ListOptions, ObjectList, ReadOptions, WatchEvent, WatchOptions } from '@fairlead/kube';
import { forwarding } from './forwarding.ts';
import type { Wiring } from './sync-simulation.ts';

/** Changes an object that is read and keeps its kind. */
type Change = <T extends KubeObject>(object: T) => T;

/** A client that changes every object that is read through it. */
function seeing(client: ApiClient, change: Change): ApiClient {
  return {
    ...forwarding(client),
    get: async (type, key, options) => change(await client.get(type, key, options)),
    async list<T extends KubeObject>(type: ResourceType, options?: ListOptions): Promise<ObjectList<T>> {
      const list = await client.list<T>(type, options);
      return { ...list, items: list.items.map((object) => change(object)) };
    },
    async *watch<T extends KubeObject>(type: ResourceType, options?: WatchOptions): AsyncIterable<WatchEvent<T>> {
      for await (const event of client.watch<T>(type, options)) {
        yield event.type === 'BOOKMARK' || event.type === 'ERROR' ? event : { ...event, object: change(event.object) };
      }
    },
  };
}

const withAnnotations = <T extends KubeObject>(object: T, annotations: Record<string, string>): T => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});

/** Controllers with one deliberate bug each, and the invariant that finds it. */
export const brokenWirings: readonly { readonly what: string; readonly wiring: Wiring; readonly found: RegExp }[] = [
  {
    what: 'does not recognize its own hooks',
    wiring: (client) =>
      seeing(client, (object) => {
        if (object.kind !== 'Job') return object;
        const { 'fairlead.dev/hook-run': _, ...rest } = object.metadata.annotations ?? {};
        return withAnnotations(object, rest);
      }),
    found: /was run twice for one try/,
  },
  {
    what: 'treats every hook as finished at once',
    wiring: (client) =>
      seeing(client, (object) =>
        object.kind === 'Job' ? { ...object, status: { conditions: [{ type: 'Complete', status: 'True' }] } } : object,
      ),
    found: /before (its|the) PreSync hook/,
  },
  {
    what: 'treats all objects in its namespace as its own',
    wiring: (client) =>
      seeing(client, (object) =>
        object.kind === 'ConfigMap' && object.metadata.namespace === 'web'
          ? withAnnotations(object, {
              ...object.metadata.annotations,
              'argocd.argoproj.io/tracking-id': `shop:/ConfigMap:web/${object.metadata.name}`,
            })
          : object,
      ),
    found: /was deleted and is not the Application's/,
  },
  {
    what: 'deletes any object with the observed name',
    wiring: (client) => ({
      ...forwarding(client),
      delete: (type, key, options = {}) => {
        const { preconditions: _, ...rest } = options;
        return client.delete(type, key, rest);
      },
    }),
    found: /was deleted and is not the Application's/,
  },
  {
    what: 'writes to the wrong namespace',
    wiring: (client) => ({
      ...forwarding(client),
      patch: (type, key, ...rest) =>
        client.patch(
          type,
          type.kind === 'ConfigMap' && key.name === 'a' ? { ...key, namespace: 'other' } : key,
          ...rest,
        ),
    }),
    found: /does not belong to the Application|live is not what the last commit says/,
  },
  {
    what: 'assumes that a failed write succeeded',
    wiring: (client) => ({
      ...forwarding(client),
      create: (type, object, options) =>
        type.kind === 'ConfigMap' && object.metadata.name === 'a'
          ? Promise.resolve(object)
          : client.create(type, object, options),
    }),
    found: /live is not what the last commit says/,
  },
  {
    what: 'removes the finalizer of the Application before its objects',
    wiring: (client) => {
      let deleting = false;
      return {
        ...forwarding(client),
        async get<T extends KubeObject>(type: ResourceType, key: ObjectKey, options?: ReadOptions): Promise<T> {
          if (deleting && type.kind === 'ConfigMap') throw apiError(404, 'NotFound', 'not found');
          const object = await client.get<T>(type, key, options);
          deleting ||= object.kind === 'Application' && object.metadata.deletionTimestamp !== undefined;
          return object;
        },
      };
    },
    found: /left over/,
  },
];

/**
 * Operations use their own start time even if another one started in the same second: after its state was removed, nothing else is known of
 * that one.
 */
export const sameSecond: Wiring = (client) => {
  let last = '';
  return {
    ...forwarding(client),
    patch: (type, key, how, body, options) => {
      const operationState = objectAt(body, 'status', 'operationState');
      const began = textAt(operationState, 'startedAt');
      if (began === '') return client.patch(type, key, how, body, options);
      const tooSoon = Date.parse(began) - Date.parse(last) === 1000;
      if (!tooSoon) last = began;
      const status = { ...objectAt(body, 'status'), operationState: { ...operationState, startedAt: last } };
      return client.patch(type, key, how, { ...objectAt(body), status }, options);
    },
  };
};
