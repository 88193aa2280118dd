import { isClusterScoped } from '../schema/built-in-kinds.ts';

export interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The identity of an object. Only an object's current id knows whether its kind is cluster-scoped. */
export interface ResId extends Gvk {
  readonly name: string;
  readonly namespace: string;
  readonly clusterScoped: boolean;
}

/** The namespace of cluster-scoped kinds in ids. */
export const notANamespace = '_non_namespaceable_';

export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

export const apiVersionOf = ({ group, version }: Gvk): string => (group === '' ? version : `${group}/${version}`);

export function makeId(apiVersion: string, kind: string, name: string, namespace: string): ResId {
  return { ...parseApiVersion(apiVersion), kind, name, namespace, clusterScoped: isClusterScoped(apiVersion, kind) };
}

export const effectiveNamespace = (id: ResId): string => {
  if (id.clusterScoped) return notANamespace;
  return id.namespace === '' ? 'default' : id.namespace;
};

export const sameGvk = (a: Gvk, b: Gvk): boolean => a.kind === b.kind && a.group === b.group && a.version === b.version;
export const sameGvkAndName = (a: ResId, b: ResId): boolean => a.name === b.name && sameGvk(a, b);
export const sameNamespace = (a: ResId, b: ResId): boolean => effectiveNamespace(a) === effectiveNamespace(b);
export const sameId = (a: ResId, b: ResId): boolean => sameGvkAndName(a, b) && sameNamespace(a, b);

/** Whether the selector matches the kind. Empty parts match everything. */
export const isSelected = (gvk: Gvk, selector: Partial<Gvk>): boolean =>
  (!selector.group || selector.group === gvk.group) &&
  (!selector.version || selector.version === gvk.version) &&
  (!selector.kind || selector.kind === gvk.kind);

export const gvkText = ({ group, version, kind }: Gvk): string =>
  `${kind || '[noKind]'}.${version || '[noVer]'}.${group || '[noGrp]'}`;
export const idText = (id: ResId): string => `${gvkText(id)}/${id.name || '[noName]'}.${id.namespace || '[noNs]'}`;
