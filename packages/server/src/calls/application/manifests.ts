import { isObject, type JsonObject, listAt, objectAt, textAt, toJson } from '@fairlead/apimachinery';
import { readInstallation, sourcesOf, TargetStateError } from '@fairlead/app-controller';
import { trackingAnnotation, trackingId, trackingName } from '@fairlead/engine';
import type { Calls } from '../../rpc/call.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { applicationAccess, refOf } from './requests.ts';

/** The rendered manifests of an Application. Values of Secrets are masked. */
export const manifestCalls = (server: Server): Calls => ({
  'Application.GetManifests': async (context, request) => {
    const { application, project } = await applicationAccess(server).find(context.caller, 'get', refOf(request));
    const { sources } = server.options;
    if (!sources) throw new RpcError('Unavailable', 'this server does not read sources');
    const asked = sourcesOf(application.spec).map((source) => source.targetRevision ?? '');
    const revision = textAt(request, 'revision');
    if (revision !== '') asked[0] = revision;
    // Positions count only where there are several sources.
    const positions = (application.spec.sources ?? []).length > 0 ? listAt(request, 'sourcePositions') : [];
    for (const [i, position] of positions.entries()) {
      const at = Number(position);
      if (at <= 0 || at > asked.length) throw new RpcError('Unknown', 'source position is out of range');
      asked[at - 1] = String(listAt(request, 'revisions')[i] ?? '');
    }
    try {
      const loaded = await sources.load(application, project, asked);
      const { tracking } = readInstallation(server.state.settings, {});
      const owner = trackingName({ namespace: '', ...application.metadata }, server.state.namespace);
      const track = (object: JsonObject): JsonObject =>
        tracking.method === 'label' ? object : tracked(object, owner, application.spec.destination.namespace ?? '');
      return { manifests: loaded.manifests.map((manifest) => JSON.stringify(track(masked(manifest)))) };
    } catch (error) {
      if (!(error instanceof TargetStateError)) throw error;
      const said = error.message.replace(/^.*?rpc error: code = \w+ desc = /su, '');
      const code = /rpc error: code = FailedPrecondition/u.test(error.message) ? 'FailedPrecondition' : 'Unknown';
      throw new RpcError(code, said);
    }
  },
});

/** With the annotation that says to which Application an object belongs. */
function tracked(object: JsonObject, owner: string, namespace: string): JsonObject {
  const metadata = objectAt(object, 'metadata') ?? {};
  const [group = ''] = textAt(object, 'apiVersion').includes('/') ? textAt(object, 'apiVersion').split('/') : [''];
  const id = trackingId(owner, {
    group,
    kind: textAt(object, 'kind'),
    namespace: textAt(metadata, 'namespace') || namespace,
    name: textAt(metadata, 'name'),
  });
  const annotations = { ...objectAt(metadata, 'annotations'), [trackingAnnotation]: id };
  return { ...object, metadata: { ...metadata, annotations } };
}

/** Every value of a Secret is replaced by the same text. */
function masked(manifest: unknown): JsonObject {
  const object = toJson(isObject(manifest) && isObject(manifest['object']) ? manifest['object'] : manifest);
  if (!isObject(object)) return {};
  if (object['kind'] !== 'Secret' || object['apiVersion'] !== 'v1') return object;
  const { stringData, data, ...rest } = { stringData: {}, data: {}, ...object };
  const keys = [...Object.keys(isObject(data) ? data : {}), ...Object.keys(isObject(stringData) ? stringData : {})];
  return { ...rest, data: Object.fromEntries(keys.map((key) => [key, '++++++++'])) };
}
