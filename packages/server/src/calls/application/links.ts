import { type Application, type AppProject, applicationKind } from '@fairlead/api';
import { isObject, type Json, type KubeObject, textAt, toJson } from '@fairlead/apimachinery';
import { isDestinationPermitted } from '@fairlead/app-controller';
import { keyIn, maskSecrets } from '@fairlead/engine';
import { destinationCluster, isClusterSecret, knownClusters } from '../../applications/destination.ts';
import type { Scope } from '../../links/condition.ts';
import { linksFor, projectScope } from '../../links/links-for.ts';
import type { Calls } from '../../rpc/call.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { applicationAccess, refOf, toObject } from './requests.ts';
import { withResource } from './resources.ts';

export const linkCalls = (server: Server): Calls => ({
  'Application.ListLinks': async (context, request) => {
    const ref = { ...refOf(request), namespace: textAt(request, 'namespace') };
    const { application, project } = await applicationAccess(server).find(context.caller, 'get', ref);
    const url = server.state.settings['url'] ?? '';
    return linksFor(server, 'application', {
      ...applicationScope(application),
      ...clusterScope(server, application, project),
      ...(managedByUrl(application) === undefined && url !== '' ? { managedByURL: url } : {}),
    });
  },

  'Application.ListResourceLinks': async (context, request) => {
    const ref = refOf(request);
    const isOwn =
      textAt(request, 'kind') === 'Application' &&
      textAt(request, 'group') === applicationKind.type.group &&
      textAt(request, 'resourceName') === ref.name;
    const answer = (application: Application, project: AppProject, resource: Json): object =>
      linksFor(server, 'resource', {
        resource,
        ...applicationScope(application),
        ...clusterScope(server, application, project),
        ...projectScope(project),
      });
    if (isOwn) {
      const { application, project } = await applicationAccess(server).find(context.caller, 'get', ref);
      return answer(application, project, toObject(application));
    }
    return withResource(server, context, request, 'get', async ({ live, node }) => {
      const { cluster, installation } = live.lease;
      const type = cluster.kinds.findAny(node.group ?? '', node.kind);
      if (!type) throw new RpcError('NotFound', `error getting resource: ${node.kind} is not served`);
      const { namespace = '', name } = node;
      const object: KubeObject = await cluster.client.get(type, keyIn(type, { namespace, name }));
      const [masked] = maskSecrets([object], { annotations: installation.maskedAnnotations });
      return answer(live.application, live.project, toJson(masked ?? null));
    });
  },
});

function applicationScope(application: Application): Scope {
  const object = toObject(application);
  const managedByURL = managedByUrl(application);
  return { application: object, app: object, ...(managedByURL === undefined ? {} : { managedByURL }) };
}

function managedByUrl({ metadata }: Application): string | undefined {
  const url = metadata.annotations?.['argocd.argoproj.io/managed-by-url'];
  return url !== undefined && (url === '' || /^https?:\/\//u.test(url)) ? url : undefined;
}

/** What templates may know of a cluster: not how it is reached. */
function clusterScope({ state }: Server, { spec }: Application, project: AppProject): Scope {
  const cluster = destinationCluster(spec.destination, knownClusters(state.secrets.list()));
  if (typeof cluster === 'string') return {};
  if (!isDestinationPermitted(project, cluster, spec.destination.namespace ?? '')) {
    throw new RpcError('Unknown', 'error getting destination cluster');
  }
  const secret = state.secrets
    .list()
    .filter(isClusterSecret)
    .find(({ data }) => Buffer.from(data?.['server'] ?? '', 'base64').toString() === cluster.server);
  const { labels, annotations } = secret?.metadata ?? {};
  const described = toJson({ ...cluster, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) });
  return isObject(described) ? { cluster: described } : {};
}
