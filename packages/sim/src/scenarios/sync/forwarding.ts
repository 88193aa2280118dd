import type { ApiClient } from '@fairlead/kube';

/** A client that only passes on: what is to be changed about it is said beside it. */
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
