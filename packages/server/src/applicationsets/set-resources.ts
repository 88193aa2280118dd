import type { Application, ApplicationSet } from '@fairlead/api';
import type { Informer } from '@fairlead/kube';

/**
 * The ApplicationSet with the sync and health status that its Applications have now. The controller writes the status of an ApplicationSet when it
 * reconciles it, which a change of an Application's status is no reason for.
 */
export function withCurrentResources(
  set: ApplicationSet,
  applications: Pick<Informer<Application>, 'get'>,
): ApplicationSet {
  const { status, metadata } = set;
  if (!status?.resources) return set;
  const resources = status.resources.map((resource) => {
    const current = applications.get(
      `${resource.namespace ?? metadata.namespace ?? ''}/${resource.name ?? ''}`,
    )?.status;
    const [sync, health] = [current?.sync?.status, current?.health?.status];
    return {
      ...resource,
      ...(sync ? { status: sync } : {}),
      ...(health ? { health: { ...resource.health, status: health } } : {}),
    };
  });
  return { ...set, status: { ...status, resources } };
}
