import type { JsonObject } from '@fairlead/apimachinery';
import type { Listed, ListedGroup, ListedVersion } from './listed.ts';

const groupVersion = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);

/** `/api`: the versions of the core group. */
export const coreVersions = (versions: readonly string[], serverAddress: string): JsonObject => ({
  kind: 'APIVersions',
  versions: [...versions],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
});

/** `/apis`: all groups except the core group. */
export const groupList = (groups: readonly ListedGroup[]): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groups.filter(({ group }) => group !== '').map(groupBody),
});

/** `/apis/G`. */
export const groupDocument = (group: ListedGroup): JsonObject => ({
  kind: 'APIGroup',
  apiVersion: 'v1',
  ...groupBody(group),
});

function groupBody({ group, versions }: ListedGroup): JsonObject {
  const named = versions.map(({ version }) => ({ groupVersion: groupVersion(group, version), version }));
  return { name: group, versions: named, preferredVersion: named[0]! };
}

/** `/api/v1`, `/apis/G/V`. The document of the core group has no apiVersion, as on a real server. */
export const resourceList = (group: string, { version, resources }: ListedVersion): JsonObject => ({
  kind: 'APIResourceList',
  ...(group === '' ? {} : { apiVersion: 'v1' }),
  groupVersion: groupVersion(group, version),
  resources: resources.flatMap(entries),
});

function entries(listed: Listed): JsonObject[] {
  const { plural, namespaced, kind } = listed;
  return [
    {
      name: plural,
      singularName: listed.singular,
      namespaced,
      kind,
      verbs: [...listed.verbs],
      ...(listed.shortNames.length ? { shortNames: [...listed.shortNames] } : {}),
      ...(listed.categories.length ? { categories: [...listed.categories] } : {}),
      ...(listed.storageVersionHash ? { storageVersionHash: listed.storageVersionHash } : {}),
    },
    ...listed.subresources.map((part) => ({
      name: `${plural}/${part.name}`,
      singularName: '',
      namespaced,
      ...(part.group === undefined ? {} : { group: part.group }),
      ...(part.version === undefined ? {} : { version: part.version }),
      kind: part.kind,
      verbs: [...part.verbs],
    })),
  ];
}
