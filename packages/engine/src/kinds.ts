import { apiVersionOf, type ResourceType } from '@fairlead/apimachinery';

/** A kind as reported by discovery. The first version of a group that has the kind is the preferred one. */
export interface DiscoveredType extends ResourceType {
  readonly verbs: readonly string[];
}

/** The kinds of the cluster. */
export interface Kinds {
  find(apiVersion: string, kind: string): ResourceType | undefined;
  /** In the preferred version, if the group and kind exist in any. */
  findAny(group: string, kind: string): ResourceType | undefined;
  /** A kind of this name in any group. */
  findNamed(kind: string): ResourceType | undefined;
  /** Whether the server has any kind in this version of a group. */
  hasVersion(apiVersion: string): boolean;
  /** One version of every kind that can be listed, watched and deleted: the kinds of the live state. */
  watchable(): readonly ResourceType[];
}

export function createKinds(types: readonly DiscoveredType[]): Kinds {
  const byVersion = new Map<string, ResourceType>();
  const byGroup = new Map<string, DiscoveredType>();
  const versions = new Set(types.map(apiVersionOf));
  for (const type of types) {
    byVersion.set(`${apiVersionOf(type)}|${type.kind}`, type);
    const key = `${type.group}|${type.kind}`;
    if (!byGroup.has(key)) byGroup.set(key, type);
  }
  const watchable = [...byGroup.values()].filter((type) =>
    ['list', 'watch', 'delete'].every((verb) => type.verbs.includes(verb)),
  );
  return {
    find: (apiVersion, kind) => byVersion.get(`${apiVersion}|${kind}`),
    findAny: (group, kind) => byGroup.get(`${group}|${kind}`),
    findNamed: (kind) => types.find((type) => type.kind === kind),
    hasVersion: (apiVersion) => versions.has(apiVersion),
    watchable: () => watchable,
  };
}
