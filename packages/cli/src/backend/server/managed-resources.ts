import type { Application } from '@fairlead/api';
import { at, type JsonObject, type KubeObject, objectsAt, textAt } from '@fairlead/apimachinery';
import { idKey, type ResourceId } from '@fairlead/engine';
import type { RestApi } from '../../api-server/rest-api.ts';
import { applicationCall } from './server-client.ts';

/** An object of an Application as the server compares it. */
export interface ManagedResource {
  readonly id: ResourceId;
  readonly isHook: boolean;
  readonly target?: KubeObject;
  readonly live?: KubeObject;
  readonly normalizedLive?: KubeObject;
  readonly predicted?: KubeObject;
}

export async function managedResources(api: RestApi, application: Application): Promise<ManagedResource[]> {
  const answer = await api.call(applicationCall(application, 'managed-resources'));
  return objectsAt(answer, 'items').map((item) => ({
    id: {
      group: textAt(item, 'group'),
      kind: textAt(item, 'kind'),
      namespace: textAt(item, 'namespace'),
      name: textAt(item, 'name'),
    },
    isHook: at(item, 'hook') === true,
    ...state(item, 'target', 'targetState'),
    ...state(item, 'live', 'liveState'),
    ...state(item, 'normalizedLive', 'normalizedLiveState'),
    ...state(item, 'predicted', 'predictedLiveState'),
  }));
}

function state(item: JsonObject, name: string, field: string): Record<string, KubeObject> {
  const object: KubeObject | null = JSON.parse(textAt(item, field) || 'null');
  return object ? { [name]: object } : {};
}

/** The live objects, in the order of the Application's status. */
export function liveStates(managed: readonly ManagedResource[], { status }: Application): KubeObject[] {
  const byId = new Map(managed.map((one) => [idKey(one.id), one.live]));
  return (status?.resources ?? []).flatMap(({ group = '', kind = '', namespace = '', name = '' }) => {
    const live = byId.get(idKey({ group, kind, namespace, name }));
    return live ? [live] : [];
  });
}
