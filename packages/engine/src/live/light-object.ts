import type { KubeObject } from '@fairlead/apimachinery';
import { assessHealth } from '../health/assess-health.ts';
import type { Health } from '../health/health.ts';
import { type NodeInfo, nodeInfoOf } from './node-info.ts';
import { claimPrefixesOf, type Owner, ownersOf } from './owners.ts';

/** The cached part of an object that no Application tracks, in addition to its identity: what a resource tree shows. */
export interface LightInfo extends NodeInfo {
  readonly health?: Health;
  readonly claimPrefixes?: readonly string[];
}

const light: unique symbol = Symbol('identity only');

type Light = KubeObject & { [light]?: LightInfo };

const nothing: LightInfo = Object.freeze({});

/** Strings that thousands of objects have in common are stored once. */
const texts = new Map<string, string>();
function shared(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size > 10_000) texts.clear();
  texts.set(text, text);
  return text;
}

/** The identity and owners of an object, and what a tree shows of it. Everything else is dropped. */
export function lightened(object: KubeObject, labels: readonly string[] = []): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const owners = ownersOf(object);
  return {
    apiVersion: shared(object.apiVersion),
    kind: shared(object.kind),
    metadata: {
      name,
      ...(namespace ? { namespace: shared(namespace) } : {}),
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
      ...(creationTimestamp ? { creationTimestamp } : {}),
      ...(owners.length > 0 ? { ownerReferences: owners.map(lightOwner) } : {}),
    },
    [light]: lightInfoOf(object, labels),
  } as Light;
}

const lightOwner = ({ apiVersion, kind, name, uid }: Owner): Owner => ({
  apiVersion: shared(apiVersion),
  kind: shared(kind),
  name,
  uid,
});

function lightInfoOf(object: KubeObject, labels: readonly string[]): LightInfo {
  const health = assessHealth(object);
  const claimPrefixes = claimPrefixesOf(object);
  const info = nodeInfoOf(object, labels);
  if (!health && claimPrefixes.length === 0 && Object.keys(info).length === 0) return nothing;
  return { ...info, ...(health ? { health } : {}), ...(claimPrefixes.length > 0 ? { claimPrefixes } : {}) };
}

export const isWhole = (object: KubeObject): boolean => !(light in object);

/** The cached part of a light object; undefined for one that is cached in full. */
export const lightInfo = (object: KubeObject): LightInfo | undefined => (object as Light)[light];

/** Whether two light objects have the same content, regardless of their versions. */
export const isAlike = (a: KubeObject, b: KubeObject): boolean => saying(a) === saying(b);

const saying = (object: KubeObject): string =>
  JSON.stringify([object.metadata.uid, object.metadata.ownerReferences, lightInfo(object)]);
