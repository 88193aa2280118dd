import { apiError, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient, ObjectList, WatchEvent } from '@fairlead/kube';
import { forwarding } from './forwarding.ts';
import type { Wiring } from './sync-world.ts';

/** A client through which every object that is read looks other than it is. */
function seeing(client: ApiClient, see: (object: KubeObject) => KubeObject): ApiClient {
  const change = <T extends KubeObject>(object: T): T => see(object) as T;
  return {
    ...forwarding(client),
    get: (async (type: ResourceType, ...rest: [never]) => change(await client.get(type, ...rest))) as ApiClient['get'],
    list: (async (type: ResourceType, ...rest: [never]) => {
      const list = await client.list(type, ...rest);
      return { ...list, items: list.items.map(change) } satisfies ObjectList;
    }) as ApiClient['list'],
    watch: async function* (type: ResourceType, options: never): AsyncIterable<WatchEvent> {
      for await (const event of client.watch(type, options)) {
        yield event.type === 'BOOKMARK' || event.type === 'ERROR' ? event : { ...event, object: change(event.object) };
      }
    } as ApiClient['watch'],
  };
}

const withAnnotations = (object: KubeObject, annotations: Record<string, string>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});

/** Controllers that are broken on purpose, each in one way, and the rule that finds it. */
export const brokenWirings: readonly { readonly what: string; readonly wiring: Wiring; readonly found: RegExp }[] = [
  {
    what: 'does not know its own hooks again',
    wiring: (client) =>
      seeing(client, (object) => {
        if (object.kind !== 'Job') return object;
        const { 'fairlead.dev/hook-run': _, ...rest } = object.metadata.annotations ?? {};
        return withAnnotations(object, rest);
      }),
    found: /was run twice for one try/,
  },
  {
    what: 'takes every hook to be over at once',
    wiring: (client) =>
      seeing(client, (object) =>
        object.kind === 'Job'
          ? ({ ...object, status: { conditions: [{ type: 'Complete', status: 'True' }] } } as KubeObject)
          : object,
      ),
    found: /before (its|the) PreSync hook/,
  },
  {
    what: 'takes what is in its namespace for its own',
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
    what: 'deletes whatever has the name of what it saw',
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
    what: 'writes to the namespace that is not meant',
    wiring: (client) => ({
      ...forwarding(client),
      patch: ((type: ResourceType, key: { namespace?: string; name: string }, ...rest: [never, never]) =>
        client.patch(
          type,
          type.kind === 'ConfigMap' && key.name === 'a' ? { ...key, namespace: 'other' } : key,
          ...rest,
        )) as ApiClient['patch'],
    }),
    found: /is no business of the Application|live is not what the last commit says/,
  },
  {
    what: 'believes that a write was done which was not',
    wiring: (client) => ({
      ...forwarding(client),
      create: ((type: ResourceType, object: KubeObject, ...rest: [never]) =>
        type.kind === 'ConfigMap' && object.metadata.name === 'a'
          ? Promise.resolve(object)
          : client.create(type, object, ...rest)) as ApiClient['create'],
    }),
    found: /live is not what the last commit says/,
  },
  {
    what: 'lets the Application go before its objects',
    wiring: (client) => {
      let deleting = false;
      return {
        ...forwarding(client),
        get: (async (type: ResourceType, ...rest: [never]) => {
          if (deleting && type.kind === 'ConfigMap') throw apiError(404, 'NotFound', 'not found');
          const object = await client.get(type, ...rest);
          deleting ||= object.kind === 'Application' && object.metadata.deletionTimestamp !== undefined;
          return object;
        }) as ApiClient['get'],
      };
    },
    found: /left over/,
  },
];

/** Operations begin when they begin, though another of the same second did: what was wiped is all that is known of that one. */
export const sameSecond: Wiring = (client) => {
  let last = '';
  const patch = (type: ResourceType, key: never, how: never, body: unknown, ...rest: [never]): Promise<KubeObject> => {
    const { status } = body as { status?: { operationState?: { startedAt?: string } } };
    const began = status?.operationState?.startedAt;
    if (began === undefined) return client.patch(type, key, how, body, ...rest);
    const tooSoon = Date.parse(began) - Date.parse(last) === 1000;
    if (!tooSoon) last = began;
    const state = { ...status!.operationState, startedAt: last };
    return client.patch(type, key, how, { ...(body as object), status: { ...status, operationState: state } }, ...rest);
  };
  return { ...forwarding(client), patch: patch as ApiClient['patch'] };
};
