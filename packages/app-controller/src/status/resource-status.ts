import type { Application, ApplicationStatus, ResourceStatus } from '@fairlead/api';
import { type KubeObject, must } from '@fairlead/apimachinery';
import { groupOf, syncOptions, versionOf, waveOf } from '@fairlead/engine';
import type { ComparedResource } from '../compare/compare.ts';
import { linksOf } from './external-urls.ts';

/** A resource as `status.resources` shows it: empty fields left out. */
export function resourceStatus(resource: ComparedResource): ResourceStatus {
  const { id, target, live, status, health, requiresPruning, hook } = resource;
  const object = must(target ?? live, 'target and live object');
  const wave = waveOf(object);
  return {
    ...(id.group === '' ? {} : { group: id.group }),
    version: versionOf(object.apiVersion),
    kind: id.kind,
    ...(id.namespace === '' ? {} : { namespace: id.namespace }),
    name: id.name,
    ...(status ? { status } : {}),
    ...(health ? { health: { ...health } } : {}),
    ...(hook ? { hook } : {}),
    ...(requiresPruning ? { requiresPruning: true } : {}),
    ...(awaitsConfirmation(target) || awaitsConfirmation(live) ? { requiresDeletionConfirmation: true } : {}),
    ...(wave === 0 ? {} : { syncWave: wave }),
  };
}

function awaitsConfirmation(object: KubeObject | undefined): boolean {
  if (!object?.metadata.annotations) return false;
  const options = syncOptions([], object);
  return options.get('Prune') === 'confirm' || options.get('Delete') === 'confirm';
}

/** What objects own, as the live state knows it. */
export interface Trees {
  treeUnder(roots: readonly KubeObject[]): readonly { readonly images?: readonly string[] }[];
}

/** What an Application as a whole runs and offers. */
export function summaryOf(
  application: Application,
  resources: readonly ComparedResource[],
  live?: Trees,
): NonNullable<ApplicationStatus['summary']> {
  // What a workload runs is said by its own template; what an operator makes of its kinds, only by the pods under them.
  const custom = live ? resources.flatMap((one) => (one.live && isCustom(one.live) ? [one.live] : [])) : [];
  const below = custom.length > 0 ? (live?.treeUnder(custom) ?? []).flatMap((node) => node.images ?? []) : [];
  const images = [...new Set([...imagesOf(resources), ...below])].sort();
  const externalURLs = new Set(linksOf(application));
  for (const { live } of resources) for (const url of live ? linksOf(live) : []) externalURLs.add(url);
  return {
    ...(images.length > 0 ? { images } : {}),
    ...(externalURLs.size > 0 ? { externalURLs: [...externalURLs].sort() } : {}),
    ...(isAppOfApps(resources) ? { isAppOfApps: true } : {}),
  };
}

const isCustom = ({ apiVersion }: KubeObject): boolean => {
  const group = groupOf(apiVersion);
  return group.includes('.') && !group.endsWith('.k8s.io') && group !== 'argoproj.io';
};

/** Live objects never change: what one runs is looked for once. */
const imagesByObject = new WeakMap<KubeObject, readonly string[]>();

/** The images that an Application's objects run. */
export function imagesOf(resources: readonly ComparedResource[]): string[] {
  const images = new Set<string>();
  for (const { live } of resources) for (const image of live ? imagesIn(live) : []) images.add(image);
  return [...images].sort();
}

function imagesIn(object: KubeObject): readonly string[] {
  const known = imagesByObject.get(object);
  if (known) return known;
  const images: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (/^(initC|c)ontainers$/u.test(name) && Array.isArray(inner)) {
          for (const container of inner) if (typeof container?.image === 'string') images.push(container.image);
        } else if (name !== 'status' && name !== 'metadata') visit(inner);
      }
    }
  };
  if (object.kind !== 'CustomResourceDefinition') visit(object);
  imagesByObject.set(object, images);
  return images;
}

const isAppOfApps = (resources: readonly ComparedResource[]): boolean =>
  resources.some(({ id }) => id.group === 'argoproj.io' && id.kind === 'Application');
