import type { Application } from '@fairlead/api';
import { apiError, badRequest, type KubeObject, type ObjectKey, type ResourceType } from '@fairlead/apimachinery';
import { compareOnce } from '@fairlead/app-controller';
import { createKinds, type DiscoveredType, groupOf, idKey, resourceIdOf, versionOf } from '@fairlead/engine';
import { isClusterScoped } from '@fairlead/render/kustomize';
import { projectOf } from '../../applications/cluster/project.ts';
import { nameOf } from '../../applications/selection/find-application.ts';
import type { TargetState } from '../../applications/sources/target-state.ts';
import { CliError } from '../../cli-error.ts';
import { isWarning, objectDiff } from '../../diff/compare-with-live.ts';
import type { ObjectDiff } from '../../diff/print-diff.ts';
import { controlPlaneNamespace } from '../../install.ts';
import type { ManagedResource } from './managed-resources.ts';
import type { ServerClient } from './server-client.ts';

/**
 * Compares manifests with the live objects that the server reports. Kinds are those of the objects, and settings of the installation
 * that only the server knows are not applied.
 */
export async function compareManifests(
  client: ServerClient,
  application: Application,
  objects: readonly KubeObject[],
  managed: readonly ManagedResource[],
): Promise<Pick<TargetState, 'differences' | 'warnings'>> {
  const project = await projectOf(client, application);
  if (!project)
    throw new CliError(`project ${application.spec.project || 'default'} of ${nameOf(application)} does not exist`);
  const live = managed.flatMap((one) => (one.live && !one.isHook ? [one.live] : []));
  const { destination } = application.spec;
  const compared = await compareOnce({
    client,
    home: application.status?.controllerNamespace ?? controlPlaneNamespace,
    application,
    project,
    destination: liveReader(live),
    kinds: createKinds(typesOf(objects, live)),
    cluster: { name: destination.name ?? '', server: destination.server ?? '' },
    manifests: objects.map((object) => ({ object: { ...object }, origin: { path: '', line: 0 } })),
    others: live.map(resourceIdOf),
  });
  const wrong = compared.conditions.find(({ type }) => type === 'ComparisonError' || type === 'InvalidSpecError');
  if (wrong) throw new CliError(wrong.message);
  return {
    differences: compared.resources
      .filter(({ hook }) => !hook)
      .map((resource) => withoutMasked(objectDiff(resource, compared))),
    warnings: compared.conditions.filter(({ type }) => isWarning(type)).map(({ message }) => message),
  };
}

/** The server masks values of Secrets, and masks of two answers cannot be compared. */
const withoutMasked = (one: ObjectDiff): ObjectDiff =>
  one.kind === 'changed' && one.id.group === '' && one.id.kind === 'Secret' ? { id: one.id, kind: 'same' } : one;

/** Reads the live objects like a client of their cluster. */
function liveReader(live: readonly KubeObject[]) {
  const byId = new Map(live.map((object) => [idKey(resourceIdOf(object)), object]));
  return {
    async get<T extends KubeObject = KubeObject>(type: ResourceType, { namespace = '', name }: ObjectKey): Promise<T> {
      const found = byId.get(idKey({ group: type.group, kind: type.kind, namespace, name }));
      if (!found) throw apiError(404, 'NotFound', `${type.plural} "${name}" not found`, { name });
      const object: T = JSON.parse(JSON.stringify(found));
      return object;
    },
    patch(): Promise<never> {
      throw badRequest('server-side diff needs a kubeconfig');
    },
  };
}

/** The kinds of some objects. A kind is cluster-scoped if a live object has no namespace, or Kubernetes defines it so. */
function typesOf(targets: readonly KubeObject[], live: readonly KubeObject[]): DiscoveredType[] {
  const clusterScoped = new Set(
    live.filter(({ metadata }) => !metadata.namespace).map(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}`),
  );
  return [...live, ...targets].map(({ apiVersion, kind }) => ({
    group: groupOf(apiVersion),
    version: versionOf(apiVersion),
    kind,
    plural: kind.toLowerCase(),
    namespaced: !isClusterScoped(apiVersion, kind) && !clusterScoped.has(`${groupOf(apiVersion)}/${kind}`),
    verbs: ['get', 'list', 'watch', 'delete'],
  }));
}
