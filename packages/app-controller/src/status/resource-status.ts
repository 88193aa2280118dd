import type { Application, ApplicationStatus, ResourceStatus } from '@fairlead/api';
import { type KubeObject, must } from '@fairlead/apimachinery';
import { type Health, syncOptions, versionOf, waveOf } from '@fairlead/engine';
import type { ComparedResource } from '../compare/compare.ts';
import { linksOf } from './external-urls.ts';

/** A resource in `status.resources`, without empty fields. */
export function resourceStatus(resource: ComparedResource, appOptions: readonly string[] = []): ResourceStatus {
  const { id, target, live, status, health, requiresPruning, hook } = resource;
  const object = must(target ?? live, 'target and live object');
  const wave = resource.wave ?? (target ? waveOf(target) : 0);
  return {
    ...(id.group === '' ? {} : { group: id.group }),
    version: versionOf(object.apiVersion),
    kind: id.kind,
    ...(id.namespace === '' ? {} : { namespace: id.namespace }),
    name: id.name,
    ...(status ? { status } : {}),
    ...(health ? { health: shown(health) } : {}),
    ...(hook ? { hook } : {}),
    ...(requiresPruning ? { requiresPruning: true } : {}),
    ...([target, live].some((one) => awaitsConfirmation(one, appOptions))
      ? { requiresDeletionConfirmation: true }
      : {}),
    ...(wave === 0 ? {} : { syncWave: wave }),
  };
}

const shown = ({ status, message }: Health): NonNullable<ResourceStatus['health']> => ({
  status,
  ...(message === undefined ? {} : { message }),
});

/** Whether an object is pruned, or deleted with its Application, only with approval. */
export function awaitsConfirmation(object: KubeObject | undefined, appOptions: readonly string[] = []): boolean {
  if (!object || (appOptions.length === 0 && !object.metadata.annotations)) return false;
  const options = syncOptions(appOptions, object);
  return options.get('Prune') === 'confirm' || options.get('Delete') === 'confirm';
}

/** Dependents of objects, from the live state. */
export interface Trees {
  imagesUnder(roots: readonly KubeObject[]): readonly string[];
}

/** Summary of an Application: images and URLs. Images come from its pods, as in Argo CD: a template may have no pods. */
export function summaryOf(
  application: Application,
  resources: readonly ComparedResource[],
  live?: Trees,
): NonNullable<ApplicationStatus['summary']> {
  const images = live?.imagesUnder(resources.flatMap((resource) => resource.live ?? [])) ?? [];
  const externalURLs = new Set(linksOf(application));
  for (const { live } of resources) for (const url of live ? linksOf(live) : []) externalURLs.add(url);
  return {
    ...(images.length > 0 ? { images: [...images] } : {}),
    ...(externalURLs.size > 0 ? { externalURLs: [...externalURLs].sort() } : {}),
    ...(isAppOfApps(resources) ? { isAppOfApps: true } : {}),
  };
}

const isAppOfApps = (resources: readonly ComparedResource[]): boolean =>
  resources.some(({ id }) => id.group === 'argoproj.io' && id.kind === 'Application');
