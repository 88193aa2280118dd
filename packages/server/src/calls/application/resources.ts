import {
  apiVersionOf,
  describeSyntaxError,
  type JsonObject,
  type KubeObject,
  messageOf,
  type ResourceType,
  textAt,
} from '@fairlead/apimachinery';
import { actorOf } from '@fairlead/app-controller';
import { keyIn, maskSecrets, type ResourceId, type ResourceNode } from '@fairlead/engine';
import { limits, type PatchType, type Propagation } from '@fairlead/kube';
import type { FoundApplication, ResourceRef } from '../../applications/application-access.ts';
import { type LiveApplication, withLive } from '../../live/application-state.ts';
import { nodeAt, resourceRefOf, treeOf, treeOfLive } from '../../live/application-tree.ts';
import { leaseAs } from '../../live/live-clusters.ts';
import { managedResources } from '../../live/managed-resources.ts';
import type { CallContext, Calls } from '../../rpc/call.ts';
import { rpcErrorOf } from '../../rpc/kube-error.ts';
import { invalidArgument, notFound, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { refreshed } from './read.ts';
import { applicationAccess, refOf } from './requests.ts';

/** What is live of an Application: its tree, its objects beside their target state, and single objects. */
export const resourceCalls = (server: Server): Calls => ({
  'Application.ResourceTree': async (context, request) => {
    const found = await findCompared(server, context, request, 'applicationName');
    return treeOf(server, found, context.signal);
  },

  'Application.ManagedResources': async (context, request) => {
    const found = await findCompared(server, context, request, 'applicationName');
    return withLive(server, found, { signal: context.signal, purpose: 'managed' }, async (live) => ({
      items: live ? await managedResources(server, live, matcherOf(request)) : [],
    }));
  },

  'Application.GetResource': (context, request) =>
    withResource(server, context, request, 'get', async ({ live, node }) => {
      const type = typeIn(live, node, textAt(request, 'version'));
      const object = await failingAs(
        'error getting resource',
        live.lease.cluster.client.get(type, keyIn(type, idOf(node))),
      );
      return { manifest: shown(live, object) };
    }),

  'Application.PatchResource': (context, request) =>
    withResource(server, context, request, 'update', async ({ live, node }) => {
      const type = typeIn(live, node, node.version ?? '');
      const patch = patchOf(textAt(request, 'patch'));
      const kind = patchTypeOf(textAt(request, 'patchType'));
      const { client } = live.lease.cluster;
      try {
        return { manifest: shown(live, await client.patch(type, keyIn(type, idOf(node)), kind, patch)) };
      } catch (error) {
        const { code } = rpcErrorOf(error);
        // The message may contain values of the Secret.
        if (isSecret(node)) throw new RpcError(code, `failed to patch Secret ${node.namespace}/${node.name}`);
        throw new RpcError(code, `error patching resource: ${messageOf(error)}`);
      }
    }),

  'Application.DeleteResource': (context, request) =>
    withResource(server, context, request, 'delete', async ({ live, node }) => {
      const type = typeIn(live, node, node.version ?? '');
      const options = { ...deleteOptions(request), preconditions: { uid: node.uid ?? '' } };
      await failingAs(
        'error deleting resource',
        live.lease.cluster.client.delete(type, keyIn(type, idOf(node)), options),
      );
      return {};
    }),
});

/** The Application of a request, once the controller has compared it. */
export async function findCompared(
  server: Server,
  context: CallContext,
  request: JsonObject,
  nameField = 'name',
): Promise<FoundApplication> {
  const found = await applicationAccess(server).find(context.caller, 'get', refOf(request, nameField));
  return compared(server, context, found);
}

/** Waits for the first comparison. */
export async function compared(
  server: Server,
  context: CallContext,
  found: FoundApplication,
): Promise<FoundApplication> {
  const { status } = found.application;
  const isKnown = status?.sync?.status !== undefined || (status?.conditions ?? []).length > 0;
  return isKnown ? found : { ...found, application: await refreshed(server, context, found.application, 'normal') };
}

export interface LiveResource {
  readonly live: LiveApplication;
  readonly node: ResourceNode;
}

/** Runs work on an object in the tree of an Application, if the caller has the right to do so. `action` may be `action/GROUP/KIND/NAME`. */
export async function withResource<T>(
  server: Server,
  context: CallContext,
  request: JsonObject,
  action: string,
  work: (resource: LiveResource) => Promise<T>,
): Promise<T> {
  const ref = resourceRefOf(request);
  const access = applicationAccess(server);
  const found = await compared(
    server,
    context,
    await access.findForResource(context.caller, action, refOf(request), ref),
  );
  return withLive(server, found, { signal: context.signal, purpose: 'resource' }, async (live) => {
    const node = live && nodeAt(await treeOfLive(server, live), ref);
    if (!node) throw notPartOf(request, ref);
    return work({ live: actingLive(live), node });
  });
}

const notPartOf = (request: JsonObject, { kind, group, name }: ResourceRef): RpcError =>
  invalidArgument(`${kind} ${group} ${name} not found as part of application ${textAt(request, 'name')}`);

/** Live objects are handled with the permissions of the service account that the project names for the destination. */
export function actingLive(live: LiveApplication): LiveApplication {
  const { lease, project, application } = live;
  const { problem, user } = actorOf(lease.installation.impersonation, project, lease.cluster, application);
  if (problem !== undefined) {
    throw new RpcError('FailedPrecondition', `error getting application cluster config: ${problem}`);
  }
  return user === undefined ? live : { ...live, lease: leaseAs(lease, user) };
}

function matcherOf(request: JsonObject): (id: ResourceId) => boolean {
  const fields = (['group', 'kind', 'namespace', 'name'] as const).map(
    (field) => [field, textAt(request, field)] as const,
  );
  return (id) => fields.every(([field, value]) => value === '' || id[field] === value);
}

/** The kind of a node in a version; the errors are those of Kubernetes' discovery. */
export function typeIn(
  { lease: { cluster } }: LiveApplication,
  { group = '', kind }: Pick<ResourceNode, 'group' | 'kind'>,
  version: string,
): ResourceType {
  const apiVersion = apiVersionOf({ group, version });
  const type = cluster.kinds.find(apiVersion, kind);
  if (type) return type;
  const said = cluster.kinds.hasVersion(apiVersion)
    ? `${group === '' ? kind : `${kind}.${group}`} "" not found`
    : `failed to discover server resources for group version ${apiVersion}: the server could not find the requested resource`;
  throw notFound(`error getting resource: failed to get api resource: ${said}`);
}

export const idOf = ({ group = '', kind, namespace = '', name }: ResourceNode): ResourceId => ({
  group,
  kind,
  namespace,
  name,
});

const isSecret = ({ group = '', kind }: ResourceNode): boolean => group === '' && kind === 'Secret';

function shown({ lease }: LiveApplication, object: KubeObject): string {
  const [masked] = maskSecrets([object], { annotations: lease.installation.maskedAnnotations });
  return JSON.stringify(masked);
}

export async function failingAs<T>(what: string, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw new RpcError(rpcErrorOf(error).code, `${what}: ${messageOf(error)}`);
  }
}

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

function patchTypeOf(text: string): PatchType {
  const type = patchTypes[text];
  if (type && type !== 'apply') return type;
  const known = Object.keys(patchTypes).join(', ');
  throw invalidArgument(
    `error patching resource: the body of the request was in an unknown format - accepted media types include: ${known}`,
  );
}

function patchOf(text: string): unknown {
  if (text.length > limits.apiPatchBytes) {
    throw invalidArgument(`error patching resource: the patch is larger than ${limits.apiPatchBytes} bytes`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalidArgument(`error patching resource: error decoding patch: ${describeSyntaxError(text)}`);
  }
}

function deleteOptions(request: JsonObject): { propagationPolicy: Propagation; gracePeriodSeconds?: number } {
  if (request['orphan'] === true) return { propagationPolicy: 'Orphan' };
  if (request['force'] === true) return { propagationPolicy: 'Background', gracePeriodSeconds: 0 };
  return { propagationPolicy: 'Foreground' };
}
