import { createHash } from 'node:crypto';
import type { Application } from '@fairlead/api';
import { type JsonObject, listAt, objectAt, textAt, unstructured } from '@fairlead/apimachinery';
import { readInstallation, sourcesOf, TargetStateError } from '@fairlead/app-controller';
import { maskSecrets, trackingAnnotation, trackingId, trackingName } from '@fairlead/engine';
import { limits } from '@fairlead/kube';
import type { Tree } from '@fairlead/render';
import { SourceError, unpack } from '@fairlead/source';
import type { FoundApplication } from '../../applications/application-access.ts';
import { destinationCluster, knownClusters } from '../../applications/destination.ts';
import type { Calls, ClientStreamCalls } from '../../rpc/call.ts';
import { invalidArgument, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import type { LoadedSources } from '../../sources/application-sources.ts';
import { applicationAccess, refOf, unknown } from './requests.ts';

/** The rendered manifests of an Application. Values of Secrets are masked. */
export const manifestCalls = (server: Server): Calls => ({
  'Application.GetManifests': async (context, request) => {
    const { application, project } = await applicationAccess(server).find(context.caller, 'get', refOf(request));
    const { sources } = server.options;
    if (!sources) throw new RpcError('Unavailable', 'this server does not read sources');
    requireCluster(server, application);
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
    return answered(server, application, sources.load(application, project, asked));
  },
});

/** Manifests of files that the client sends, in the form of the source: an archive in chunks, after the query with its checksum. */
export const manifestClientStreams = (server: Server): ClientStreamCalls => ({
  'Application.GetManifestsWithFiles': async (context, requests) => {
    const messages = requests[Symbol.asyncIterator]();
    const first = await messages.next();
    const query = first.done ? undefined : objectAt(first.value, 'query');
    if (!query) throw unknown('error getting query: the first message has none');
    if (textAt(query, 'name') === '') throw unknown('invalid request: application name is missing');
    const found = await applicationAccess(server).find(context.caller, 'get', refOf(query));
    const archive = await receiveArchive({ [Symbol.asyncIterator]: () => messages });
    return manifestsOfFiles(server, found, archive, textAt(query, 'checksum'));
  },
});

/** The manifests of an Application, from the files in a tar.gz archive. */
export async function manifestsOfFiles(
  server: Server,
  { application, project }: FoundApplication,
  archive: Uint8Array,
  checksum: string,
): Promise<{ manifests: string[] }> {
  const { sources } = server.options;
  if (!sources) throw new RpcError('Unavailable', 'this server does not read sources');
  requireCluster(server, application);
  const actual = createHash('sha256').update(archive).digest('hex');
  if (actual !== checksum) {
    throw unknown(`error receiving tgz file: file checksum validation error: calc ${actual} sent ${checksum}`);
  }
  const tree = await unpacked(archive);
  return answered(server, application, sources.renderFiles(application, project, tree, checksum));
}

async function receiveArchive(messages: AsyncIterable<JsonObject>): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const message of messages) {
    const chunk = objectAt(message, 'chunk');
    if (!chunk) throw unknown('stream request chunk is nil');
    const bytes = Buffer.from(textAt(chunk, 'chunk'), 'base64');
    size += bytes.length;
    if (size > limits.apiManifestArchiveBytes) {
      throw invalidArgument(`file exceeded max size of ${limits.apiManifestArchiveBytes} bytes`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

async function unpacked(archive: Uint8Array): Promise<Tree> {
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield archive;
  };
  try {
    return (await unpack(bytes())).tree;
  } catch (error) {
    if (error instanceof SourceError) throw invalidArgument(`error decompressing tgz file: ${error.message}`);
    throw error;
  }
}

/** The message with the manifests. */
async function answered(
  server: Server,
  application: Application,
  loading: Promise<LoadedSources>,
): Promise<{ manifests: string[] }> {
  const { manifests } = await trackedManifests(server, application, loading);
  return { manifests: manifests.map((object) => JSON.stringify(object)) };
}

/** What sources were rendered to, tracked and masked. */
export async function trackedManifests(
  server: Server,
  application: Application,
  loading: Promise<LoadedSources>,
): Promise<Pick<LoadedSources, 'revisions' | 'types'> & { readonly manifests: readonly JsonObject[] }> {
  try {
    const { manifests, revisions, types } = await loading;
    const { tracking, maskedAnnotations: annotations } = readInstallation(server.state.settings, {});
    const owner = trackingName({ namespace: '', ...application.metadata }, server.state.namespace);
    const track = (object: JsonObject): JsonObject =>
      tracking.method === 'label' ? object : tracked(object, owner, application.spec.destination.namespace ?? '');
    // Each on its own: masks must not tell whether two Secrets have the same value.
    const masked = manifests.flatMap(({ object }) => maskSecrets([object], { annotations }));
    return { revisions, types, manifests: masked.map((object) => track(unstructured(object))) };
  } catch (error) {
    if (!(error instanceof TargetStateError)) throw error;
    const said = error.message.replace(/^.*?rpc error: code = \w+ desc = /su, '');
    const code = /rpc error: code = FailedPrecondition/u.test(error.message) ? 'FailedPrecondition' : 'Unknown';
    throw new RpcError(code, said);
  }
}

/** Templates see what the cluster of the destination has. */
function requireCluster({ state }: Server, { spec }: Application): void {
  const found = destinationCluster(spec.destination, knownClusters(state.secrets.list()));
  if (typeof found !== 'string') return;
  const [, missing] = /rpc error: code = NotFound desc = (.*)$/u.exec(found) ?? [];
  throw missing === undefined ? unknown(`error getting cluster: ${found}`) : new RpcError('NotFound', missing);
}

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
