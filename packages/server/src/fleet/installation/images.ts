import type { ImageUpdater } from '@fairlead/api';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { ImageUpdate, ImageUse } from '../api/installation-shapes.ts';
import type { InstallationState } from './installation-state.ts';
import { keyOf, visibleApplications } from './visible-applications.ts';

/** Applications that are named with an image. */
const mostApplications = 100;

/** Images of visible Applications, the most used first, and the ImageUpdaters in the namespaces of these Applications. */
export function listImages(
  server: Server,
  installation: InstallationState,
  context: CallContext,
): { items: ImageUse[]; updaters: ImageUpdate[] } {
  const applications = visibleApplications(server, context);
  const uses = new Map<string, string[]>();
  for (const application of applications) {
    for (const image of new Set(application.status?.summary?.images ?? [])) {
      const known = uses.get(image);
      if (known) known.push(keyOf(application));
      else uses.set(image, [keyOf(application)]);
    }
  }
  const namespaces = new Set(applications.map(({ metadata }) => metadata.namespace ?? ''));
  return {
    items: [...uses]
      .map(([image, names]) => ({ image, applications: names.sort().slice(0, mostApplications), count: names.length }))
      .sort((a, b) => b.count - a.count || (a.image < b.image ? -1 : 1)),
    updaters: installation.imageUpdaters
      .list()
      .filter(({ metadata }) => namespaces.has(metadata.namespace ?? ''))
      .map(updaterOf)
      .sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1)),
  };
}

function updaterOf({ metadata, status = {} }: ImageUpdater): ImageUpdate {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const { lastCheckedAt, lastUpdatedAt } = status;
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    ready: ready?.status === 'True',
    ...(ready && ready.status !== 'True' ? { reason: ready.message } : {}),
    images: status.imagesManaged ?? 0,
    ...(lastCheckedAt === undefined ? {} : { lastCheckedAt }),
    ...(lastUpdatedAt === undefined ? {} : { lastUpdatedAt }),
    updates: (status.recentUpdates ?? []).map(({ alias, image, newVersion, updatedAt }) => ({
      alias,
      image,
      newVersion,
      updatedAt,
    })),
  };
}
