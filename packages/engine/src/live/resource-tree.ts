import type { KubeObject } from '@fairlead/apimachinery';
import { assessHealth } from '../health/assess-health.ts';
import type { Health } from '../health/health.ts';
import { groupOf, versionOf } from '../resource-id.ts';
import { lightInfo } from './light-object.ts';
import type { LiveIndex } from './live-index.ts';
import type { NetworkingInfo } from './networking.ts';
import { type InfoItem, imagesOfPod, nodeInfoOf } from './node-info.ts';
import { ownersOf } from './owners.ts';

export interface ResourceRef {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

/** An object as the tree of an Application shows it; the fields are those of Argo CD's ResourceNode. */
export interface ResourceNode extends ResourceRef {
  readonly parentRefs?: readonly ResourceRef[];
  readonly info?: readonly InfoItem[];
  readonly networkingInfo?: NetworkingInfo;
  readonly images?: readonly string[];
  readonly health?: Health;
  readonly resourceVersion?: string;
  readonly createdAt?: string;
}

export type HealthOf = (object: KubeObject) => Health | undefined;

/** The objects and all their dependents, each once, owners first. Owner reference cycles are cut. */
export function treeUnder(
  index: Pick<LiveIndex, 'childrenOf' | 'parentsOf'>,
  roots: readonly KubeObject[],
  healthOf: HealthOf = assessHealth,
  labels: readonly string[] = [],
): ResourceNode[] {
  return objectsUnder(index, roots).map((object) => nodeOf(object, index.parentsOf(object), healthOf, labels));
}

/** The images of the pods among the objects and all their dependents, sorted. */
export function imagesUnder(index: Pick<LiveIndex, 'childrenOf'>, roots: readonly KubeObject[]): string[] {
  const images = new Set<string>();
  for (const object of objectsUnder(index, roots)) {
    for (const image of lightInfo(object)?.images ?? imagesOfPod(object)) images.add(image);
  }
  return [...images].sort();
}

function objectsUnder(index: Pick<LiveIndex, 'childrenOf'>, roots: readonly KubeObject[]): KubeObject[] {
  const seen = new Set(roots);
  const queue = [...roots];
  for (const object of queue) {
    for (const child of index.childrenOf(object)) {
      if (!seen.has(child)) queue.push(child);
      seen.add(child);
    }
  }
  return queue;
}

function nodeOf(
  object: KubeObject,
  parents: readonly KubeObject[],
  healthOf: HealthOf,
  labels: readonly string[],
): ResourceNode {
  const kept = lightInfo(object);
  const { info, images, networking } = kept ?? nodeInfoOf(object, labels);
  const health = kept ? kept.health : healthOf(object);
  const { resourceVersion, creationTimestamp } = object.metadata;
  const parentRefs = [...parents.map(refOf), ...absentOwners(object, parents)];
  return {
    ...refOf(object),
    ...(parentRefs.length > 0 ? { parentRefs } : {}),
    ...(info ? { info } : {}),
    ...(networking ? { networkingInfo: networking } : {}),
    ...(images ? { images } : {}),
    ...(health ? { health } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(creationTimestamp ? { createdAt: creationTimestamp } : {}),
  };
}

/** Owners that are referenced but not known: of a kind that is not watched, or deleted. */
const absentOwners = (object: KubeObject, parents: readonly KubeObject[]): ResourceRef[] =>
  ownersOf(object)
    .filter(({ uid }) => uid !== '' && !parents.some((parent) => parent.metadata.uid === uid))
    .map(({ apiVersion, kind, name, uid }) => ref(apiVersion, kind, '', name, uid));

const refOf = ({ apiVersion, kind, metadata: { namespace = '', name, uid } }: KubeObject): ResourceRef =>
  ref(apiVersion, kind, namespace, name, uid);

const ref = (apiVersion: string, kind: string, namespace: string, name: string, uid = ''): ResourceRef => ({
  ...(groupOf(apiVersion) === '' ? {} : { group: groupOf(apiVersion) }),
  version: versionOf(apiVersion),
  kind,
  ...(namespace === '' ? {} : { namespace }),
  name,
  ...(uid === '' ? {} : { uid }),
});
