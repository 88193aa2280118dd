import { compareVersions, parseVersion, type Version } from '@fairlead/render/semver';
import type { Strategy } from './strategy.ts';
import type { Tag } from './tag.ts';

/** A tag that is a version, with what it says. */
export interface VersionTag {
  readonly tag: Tag;
  readonly version: Version;
}

export const byName = (a: Tag, b: Tag): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Undefined where the tag is no version. */
export function versionOf(tag: Tag): VersionTag | undefined {
  // Most tags of a busy image are no versions: an exception for each of them is dear.
  if (!/^v?\d/u.test(tag.name)) return undefined;
  try {
    return { tag, version: parseVersion(tag.name) };
  } catch {
    return undefined;
  }
}

/** Oldest first; `1.0` before `1.0.0`, which is the same version and says more. */
export const compareVersionTags = (a: VersionTag, b: VersionTag): number =>
  compareVersions(a.version, b.version) || byName(a.tag, b.tag);

export const compareDates = (a: Tag, b: Tag): number => (a.created ?? 0) - (b.created ?? 0) || byName(a, b);

/** Oldest first, without what the strategy cannot compare. */
export function sortTags(tags: Iterable<Tag>, strategy: Strategy): Tag[] {
  const all = [...tags];
  if (strategy === 'newest-build') return all.sort(compareDates);
  if (strategy !== 'semver') return all.sort(byName);
  return all
    .flatMap((tag) => versionOf(tag) ?? [])
    .sort(compareVersionTags)
    .map(({ tag }) => tag);
}
