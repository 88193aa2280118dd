import type { Application } from '@fairlead/api';
import { type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { idKey, trackingAnnotation } from '@fairlead/engine';
import type { RestApi } from '../../api-server/rest-api.ts';
import type { TargetRequest, TargetState } from '../../applications/sources/target-state.ts';
import { sourcesOf } from '../../applications/tables/status-text.ts';
import type { ObjectDiff } from '../../diff/print-diff.ts';
import { compareManifests } from './compare-manifests.ts';
import { type ManagedResource, managedResources } from './managed-resources.ts';
import { applicationCall, type ServerClient } from './server-client.ts';

/**
 * The target state as the server renders it. Without another revision, the server also compares it with the live state, with all
 * settings of the installation; a revision that is asked for is compared here.
 */
export async function serverTargetState(
  api: RestApi,
  client: ServerClient,
  application: Application,
  request: TargetRequest,
): Promise<TargetState> {
  const { path, query } = applicationCall(application, 'manifests');
  const isOther = request.revisions !== undefined;
  const several = sourcesOf(application).length > 1;
  const asked = !request.revisions
    ? {}
    : several
      ? { revisions: request.revisions, sourcePositions: request.revisions.map((_, i) => String(i + 1)) }
      : { revision: request.revisions[0] };
  const [answer, managed] = await Promise.all([
    api.call({ path, query: { ...query, ...asked } }),
    managedResources(api, application),
  ]);
  const objects = listAt(answer, 'manifests').map((text) => withoutTracking(JSON.parse(String(text))));
  const revisions = listAt(answer, 'revisions').map(String);
  const compared = isOther
    ? await compareManifests(client, application, objects, managed)
    : { differences: managed.filter(({ isHook }) => !isHook).map((one) => difference(one, application)), warnings: [] };
  return { objects, revisions: revisions.length > 0 ? revisions : [textAt(answer, 'revision')], ...compared };
}

/** The server adds the annotation that tracks an object; the source does not have it. */
function withoutTracking(object: KubeObject): KubeObject {
  const { annotations, ...metadata } = object.metadata;
  const { [trackingAnnotation]: id, ...others } = annotations ?? {};
  if (id === undefined) return object;
  return { ...object, metadata: { ...metadata, ...(Object.keys(others).length > 0 ? { annotations: others } : {}) } };
}

function difference(one: ManagedResource, { status }: Application): ObjectDiff {
  const { id, target, live, normalizedLive, predicted } = one;
  const known = status?.resources?.find(
    ({ group = '', kind = '', namespace = '', name = '' }) => idKey({ group, kind, namespace, name }) === idKey(id),
  );
  if (!target) return live && known?.status !== 'Synced' ? { id, kind: 'pruned' } : { id, kind: 'same' };
  if (!live) return { id, kind: 'created', target };
  const [before, after] = [normalizedLive ?? live, predicted ?? target];
  return JSON.stringify(before) === JSON.stringify(after)
    ? { id, kind: 'same' }
    : { id, kind: 'changed', live: before, predicted: after };
}
