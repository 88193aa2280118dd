import { compareVersions, parseConstraint, parseVersion, satisfies, type Version } from '@fairlead/render/semver';

/** Thousands of Applications use a few ranges: each is parsed once. */
const ranges = new Map<string, boolean>();
const maxRanges = 1_000;

/** A range of versions, and not a single version (`1.2`, which is then the name of a tag). */
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

/** Finds the highest version in a range, one version at a time. */
export class HighestVersion {
  readonly #constraint: ReturnType<typeof parseConstraint>;
  #best: Version | undefined;

  constructor(range: string) {
    this.#constraint = parseConstraint(range);
  }

  get best(): Version | undefined {
    return this.#best;
  }

  /** Whether it is the highest so far. */
  offer(version: Version): boolean {
    if (!satisfies(version, this.#constraint)) return false;
    if (this.#best && compareVersions(version, this.#best) <= 0) return false;
    this.#best = version;
    return true;
  }
}

/** The highest version in the range, parsed as by Masterminds/semver. Names that are not versions are ignored. */
export function highestVersion(names: Iterable<string>, range: string): string | undefined {
  const highest = new HighestVersion(range);
  for (const name of names) {
    const version = versionOf(name);
    if (version) highest.offer(version);
  }
  return highest.best?.original;
}

export function versionOf(name: string): Version | undefined {
  // An error is expensive, and most names are not versions.
  if (!/^v?\d/u.test(name)) return undefined;
  try {
    return parseVersion(name);
  } catch {
    return undefined;
  }
}
