import { type KubeObject, textAt } from '@fairlead/apimachinery';
import { isResourcePermitted, orphansOf } from '@fairlead/app-controller';
import { type HealthOf, type HostInfo, idKey, type ResourceNode, resourceIdOf } from '@fairlead/engine';
import type { FoundApplication, ResourceRef } from '../applications/application-access.ts';
import type { Server } from '../server.ts';
import { type LiveApplication, withLive } from './application-state.ts';

/** The fields are those of Argo CD's ApplicationTree. */
export interface ApplicationTree {
  readonly nodes: readonly ResourceNode[];
  readonly orphanedNodes?: readonly ResourceNode[];
  readonly hosts?: readonly HostInfo[];
}

export const emptyTree: ApplicationTree = { nodes: [] };

export const treeOf = (server: Server, found: FoundApplication, signal: AbortSignal): Promise<ApplicationTree> =>
  withLive(server, found, { signal, purpose: 'tree' }, (live) =>
    live ? treeOfLive(server, live) : Promise.resolve(emptyTree),
  );

/** The objects of an Application with everything that they own, and what nobody owns in its namespace if the project wants to know. */
export async function treeOfLive(server: Server, live: LiveApplication): Promise<ApplicationTree> {
  const { lease, project, application, roots, missing, hidden } = live;
  const { cluster } = lease;
  const isPermitted = ({ group = '', kind, namespace = '', name }: ResourceNode): boolean =>
    isResourcePermitted(project, cluster, { group, kind, namespace, name });
  const below = await nodesUnder(live, roots);
  const nodes = [...missing.map(missingNode), ...hidden.map(hiddenNode), ...below.filter(isPermitted)].sort(byName);
  const own = new Set(roots.map((object) => idKey(resourceIdOf(object))));
  const namespace = application.spec.destination.namespace ?? '';
  const orphans = new Set(orphansOf(project, cluster, namespace).ids.map(idKey));
  const loose = cluster.live.orphansIn(namespace).filter((object) => {
    const key = idKey(resourceIdOf(object));
    return orphans.has(key) && !own.has(key);
  });
  const orphanedNodes = (await nodesUnder(live, loose)).filter(isPermitted).sort(byName);
  const labels = (server.state.settings['application.allowedNodeLabels'] ?? '')
    .split(',')
    .map((label) => label.trim())
    .filter(Boolean);
  const hosts = cluster.live.hostsOf(nodes, labels);
  return {
    nodes,
    ...(orphanedNodes.length > 0 ? { orphanedNodes } : {}),
    ...(hosts.length > 0 ? { hosts } : {}),
  };
}

async function nodesUnder(
  { lease: { cluster }, project }: LiveApplication,
  roots: readonly KubeObject[],
): Promise<ResourceNode[]> {
  const whole: KubeObject[] = [];
  const collect: HealthOf = (object) => {
    whole.push(object);
    return undefined;
  };
  // Health scripts run outside of this process: those of all objects are run before the tree is made.
  cluster.live.treeUnder(roots, collect);
  return cluster.live.treeUnder(roots, await cluster.evaluator.assess(whole, project.metadata.name));
}

type Listed = LiveApplication['missing'][number];

const hiddenNode = ({ group, version, kind = '', namespace, name = '' }: Listed) => ({
  ...(group ? { group } : {}),
  ...(version ? { version } : {}),
  kind,
  ...(namespace ? { namespace } : {}),
  name,
});

const missingNode = (one: Listed) => ({ ...hiddenNode(one), health: { status: 'Missing' as const } });

const fullName = ({ group = '', kind, namespace = '', name }: ResourceNode): string =>
  `${group}/${kind}/${namespace}/${name}`;

const byName = (a: ResourceNode, b: ResourceNode): number => (fullName(a) < fullName(b) ? -1 : 1);

/** A live object of a tree, orphans included. */
export const nodeAt = (
  { nodes, orphanedNodes = [] }: ApplicationTree,
  { group, kind, namespace, name }: ResourceRef,
): ResourceNode | undefined =>
  [...nodes, ...orphanedNodes].find(
    (node) =>
      (node.uid ?? '') !== '' &&
      (node.group ?? '') === group &&
      node.kind === kind &&
      (node.namespace ?? '') === namespace &&
      node.name === name,
  );

/** How requests name an object. */
export const resourceRefOf = (request: object): ResourceRef => ({
  group: textAt(request, 'group'),
  kind: textAt(request, 'kind'),
  namespace: textAt(request, 'namespace'),
  name: textAt(request, 'resourceName'),
});
