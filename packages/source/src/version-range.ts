import { compareVersions, parseConstraint, parseVersion, satisfies, type Version } from '@fairlead/render/semver';

/** Thousands of Applications follow a handful of names: each is read once. */
const ranges = new Map<string, boolean>();
const maxRanges = 1_000;

/** A range of versions, and not one version (`1.2`, which is then the name of a tag). */
export function isVersionRange(revision: string): boolean {
  const known = ranges.get(revision);
  if (known !== undefined) return known;
  const range = !reads(() => parseVersion(revision)) && reads(() => parseConstraint(revision));
  if (ranges.size >= maxRanges) ranges.clear();
  ranges.set(revision, range);
  return range;
}

function reads(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

/** The highest of the versions that the range admits, parsed as by Masterminds/semver. Names that are not versions are ignored. */
export function highestVersion(names: Iterable<string>, range: string): string | undefined {
  const constraint = parseConstraint(range);
  let best: Version | undefined;
  for (const name of names) {
    const version = versionOf(name);
    if (version && satisfies(version, constraint) && (!best || compareVersions(version, best) > 0)) best = version;
  }
  return best?.original;
}

function versionOf(name: string): Version | undefined {
  try {
    return parseVersion(name);
  } catch {
    return undefined;
  }
}
