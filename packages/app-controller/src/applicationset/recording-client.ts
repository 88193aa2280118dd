import { type Application, type ApplicationSet, applicationKind, applicationSetKind, type Kind } from '@fairlead/api';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

/** What the server says of a type is of that kind. */
const isOf = <K extends KubeObject>(kind: Kind<K>, type: ResourceType, object: KubeObject): object is K =>
  object.kind === type.kind && kind.type.kind === type.kind;

/** The client, whose answers to writes of Applications and ApplicationSets are reported. */
export function recordingClient(
  client: ApiClient,
  wrote: { application(object: Application): void; set(object: ApplicationSet): void },
): ApiClient {
  const report = <T extends KubeObject>(type: ResourceType, object: T): T => {
    if (isOf(applicationKind, type, object)) wrote.application(object);
    if (isOf(applicationSetKind, type, object)) wrote.set(object);
    return object;
  };
  return {
    get: (...args) => client.get(...args),
    list: (...args) => client.list(...args),
    watch: (...args) => client.watch(...args),
    delete: (...args) => client.delete(...args),
    deleteCollection: (...args) => client.deleteCollection(...args),
    replace: (...args) => client.replace(...args),
    create: async (type, object, options) => report(type, await client.create(type, object, options)),
    patch: async <T extends KubeObject>(...args: Parameters<ApiClient['patch']>) =>
      report(args[0], await client.patch<T>(...args)),
  };
}
