import { formatTime, isObject, type Json, type JsonObject, objectAt, textAt } from '@fairlead/apimachinery';
import { ClusterInfos } from '../clusters/cluster-infos.ts';
import { sanitizedCluster } from '../clusters/cluster-secrets.ts';
import { ClusterStore } from '../clusters/cluster-store.ts';
import { rotateToken } from '../clusters/rotate-token.ts';
import { unescapedAddress } from '../repositories/repository-url.ts';
import type { CallContext, Calls } from '../rpc/call.ts';
import { rpcErrorOf } from '../rpc/kube-error.ts';
import { invalidArgument, permissionDenied, RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { describeDifference, differentFields } from './spec-difference.ts';

/** Fields that an update may be limited to. */
const updatable: ReadonlySet<string> = new Set([
  'name',
  'namespaces',
  'config',
  'shard',
  'clusterResources',
  'labels',
  'annotations',
  'project',
]);

/** Clusters in Secrets, and the one that the server runs in. No answer has anything that opens one. */
export const clusterCalls = (server: Server): Calls => {
  const store = new ClusterStore(server.state, () => server.isOn('cluster.inClusterEnabled', true));
  const infos = new ClusterInfos(server.state, server.options.clusterAccess);
  const { clock } = server.state;
  const answers = async (clusters: readonly JsonObject[]): Promise<JsonObject[]> =>
    (await infos.describe(clusters)).map(sanitizedCluster);
  const answer = async (cluster: JsonObject): Promise<JsonObject> => (await answers([cluster]))[0] ?? {};
  const allows = (context: CallContext, action: string, cluster: JsonObject): boolean =>
    server.allows(context, { resource: 'clusters', action, object: objectOf(cluster) });

  /** Nobody learns whether a cluster exists that they may not use. */
  const find = (context: CallContext, action: string, query: ClusterQuery): JsonObject => {
    const found = isEmpty(query) ? undefined : store.list().find((cluster) => isMeant(cluster, query));
    if (!found || !allows(context, action, found)) throw permissionDenied();
    return found;
  };

  /** All with the name that a request gives, or the one with the server. */
  const findAll = (context: CallContext, action: string, query: ClusterQuery): JsonObject[] => {
    find(context, action, query);
    const found = store.list().filter((cluster) => isMeant(cluster, query));
    if (!found.every((cluster) => allows(context, action, cluster))) throw permissionDenied();
    return found;
  };

  const update = async (context: CallContext, query: ClusterQuery, request: JsonObject): Promise<JsonObject> => {
    const given = payload(request);
    const existing = find(context, 'update', query);
    const fields = textsAt(request['updatedFields']);
    const server = textAt(existing, 'server');
    const target = { ...given, server };
    const movesProject = fields.length === 0 || fields.includes('project');
    if (movesProject && !allows(context, 'update', target)) throw permissionDenied();
    const changed = fields.length === 0 ? target : withFields(existing, given, fields);
    await infos.test(changed);
    return answer(await store.put(changed));
  };

  return {
    'Cluster.List': async (context, request) => {
      const query = queryOf(request);
      const visible = store
        .list()
        .filter((cluster) => isEmpty(query) || isMeant(cluster, query))
        .filter((cluster) => allows(context, 'get', cluster));
      return { metadata: {}, items: await answers(visible) };
    },

    'Cluster.Get': (context, request) => answer(find(context, 'get', queryOf(request))),

    'Cluster.Create': async (context, request) => {
      const cluster = payload(request);
      server.require(context, 'clusters', 'create', objectOf(cluster));
      await prefixed('error getting server version', () => infos.test(cluster));
      const url = textAt(cluster, 'server');
      const secret = store.secretOf(url);
      if (!secret) return answer(await store.put(cluster));
      const existing = find(context, 'get', { server: url, name: '' });
      const differences = differentFields('v1alpha1.Cluster', existing, {
        ...cluster,
        server: textAt(existing, 'server'),
      });
      if (differences.length === 0) return answer(existing);
      if (request['upsert'] === true) return update(context, { server: url, name: '' }, { cluster });
      const keys = ['ID', ...differences, 'ObjectMeta', 'Name', 'ObjectMeta', 'Namespace'];
      throw invalidArgument(describeDifference('cluster', keys));
    },

    'Cluster.Update': (context, request) => {
      const { server: url, name } = queryOf({ ...payload(request), id: request['id'] ?? null });
      return update(context, { server: url, name }, request);
    },

    'Cluster.Delete': async (context, request) => {
      const found = findAll(context, 'delete', queryOf(request));
      for (const cluster of found) await store.delete(textAt(cluster, 'server'));
      return {};
    },

    'Cluster.RotateAuth': async (context, request) => {
      for (const cluster of findAll(context, 'update', queryOf(request))) {
        const access = server.options.clusterAccess;
        if (!access) throw new RpcError('Unimplemented', 'this server does not connect to clusters');
        await rotateToken(cluster, {
          access,
          clock,
          async store(changed) {
            await infos.test(changed);
            await store.put(changed);
          },
        });
      }
      return {};
    },

    'Cluster.InvalidateCache': async (context, request) => {
      const found = find(context, 'update', queryOf(request));
      return answer(await store.put({ ...found, refreshRequestedAt: formatTime(clock.now()) }));
    },
  };
};

/** How policies name a cluster of a project, or one for all. */
function objectOf(cluster: JsonObject): string {
  const [project, url] = [textAt(cluster, 'project'), textAt(cluster, 'server')];
  return project === '' ? url : `${project}/${url}`;
}

interface ClusterQuery {
  readonly server: string;
  readonly name: string;
}

/** An id names a cluster by server or name, and takes precedence. Clients escape an address once or twice. */
function queryOf(request: JsonObject): ClusterQuery {
  const id = objectAt(request, 'id');
  if (!id) return { server: textAt(request, 'server'), name: textAt(request, 'name') };
  const value = unescapedAddress(textAt(id, 'value'));
  const type = textAt(id, 'type');
  if (type === 'name') return { server: '', name: value };
  const unescaped = unescapedAddress(value);
  return type === 'name_escaped' ? { server: '', name: unescaped } : { server: unescaped, name: '' };
}

const isEmpty = ({ server, name }: ClusterQuery): boolean => server === '' && name === '';

const isMeant = (cluster: JsonObject, { server, name }: ClusterQuery): boolean =>
  (server === '' || textAt(cluster, 'server') === server.replace(/\/+$/u, '')) &&
  (name === '' || server !== '' || textAt(cluster, 'name') === name);

function payload(request: JsonObject): JsonObject {
  const cluster = request['cluster'];
  if (!isObject(cluster)) throw invalidArgument('missing payload in request');
  const { connectionState: _, serverVersion: __, info: ___, ...stored } = cluster;
  return stored;
}

const textsAt = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

function withFields(existing: JsonObject, given: JsonObject, fields: readonly string[]): JsonObject {
  const changed = { ...existing };
  for (const field of fields) {
    if (!updatable.has(field)) continue;
    const value = given[field];
    if (value === undefined) delete changed[field];
    else changed[field] = value;
  }
  return changed;
}

async function prefixed<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code, message } = rpcErrorOf(error);
    throw message.startsWith('error getting REST config') ? error : new RpcError(code, `${what}: ${message}`);
  }
}
