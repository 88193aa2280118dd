import type { ApiClient } from '@fairlead/kube';

/** A client that forwards every call, to be combined with overrides. */
export const forwarding = (client: ApiClient): ApiClient => ({
  get: client.get.bind(client),
  list: client.list.bind(client),
  watch: client.watch.bind(client),
  create: client.create.bind(client),
  replace: client.replace.bind(client),
  patch: client.patch.bind(client),
  delete: client.delete.bind(client),
  deleteCollection: client.deleteCollection.bind(client),
});

/** A client whose requests, except watches, are sent by a given function. */
export function around(client: ApiClient, send: <R>(what: string, request: () => Promise<R>) => Promise<R>): ApiClient {
  return {
    ...forwarding(client),
    get: (type, key, options) => send(`get ${type.kind} ${key.name}`, () => client.get(type, key, options)),
    list: (type, options) => send(`list ${type.kind}`, () => client.list(type, options)),
    create: (type, object, options) =>
      send(`create ${type.kind} ${object.metadata.name}`, () => client.create(type, object, options)),
    replace: (type, object, options) =>
      send(`replace ${type.kind} ${object.metadata.name}`, () => client.replace(type, object, options)),
    patch: (type, key, how, body, options) =>
      send(`patch ${type.kind} ${key.name}`, () => client.patch(type, key, how, body, options)),
    delete: (type, key, options) => send(`delete ${type.kind} ${key.name}`, () => client.delete(type, key, options)),
    deleteCollection: (type, options) =>
      send(`deleteCollection ${type.kind}`, () => client.deleteCollection(type, options)),
  };
}
