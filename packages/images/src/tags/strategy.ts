import {
  type Constraint,
  compareVersions,
  parseConstraint,
  parseVersion,
  satisfies,
  type Version,
} from '@fairlead/render/semver';
import { ImagesError } from '../images-error.ts';
import type { Tag } from './tag.ts';

/** A tag that can be selected, with its sort key. */
export interface Candidate {
  readonly tag: Tag;
  readonly version?: Version;
}

/** Returns a candidate, or the reason why the tag cannot be selected. */
export type Matcher = (tag: Tag) => Candidate | string;

/** A rule that decides which tag of an image is the newest. */
export interface Strategy {
  /** Other names, accepted for compatibility. */
  readonly aliases: readonly string[];
  readonly description: string;
  /** The required registry data: the list of tags, also the build time of each candidate, or the digest of one tag. */
  readonly reads: 'tags' | 'build-times' | 'digest';
  /** How the version in `image:version` is used. `tag`: it is required, and is the only candidate. */
  readonly constraint: 'version-range' | 'tag' | 'ignored';
  /** Throws an ImagesError if the constraint is invalid. */
  matcher(constraint: string | undefined): Matcher;
  /** Orders candidates, oldest first. */
  compare(a: Candidate, b: Candidate): number;
  /** Whether the tag is known to be older than the running one, which is then kept. */
  isOlder?(tag: Tag, running: Tag): boolean;
}

/** The update strategies. Validation, selection, the CLI and its completion read this table; docs/images.md is checked against it. */
export const strategies = {
  semver: {
    aliases: [],
    description: 'the highest semantic version that the constraint allows',
    reads: 'tags',
    constraint: 'version-range',
    matcher: matchVersions,
    compare: compareByVersion,
    isOlder(tag, running) {
      const [a, b] = [versionOf(tag.name), versionOf(running.name)];
      return a !== undefined && b !== undefined && compareVersions(a, b) < 0;
    },
  },
  'newest-build': {
    aliases: ['latest'],
    description: 'the image with the latest build time',
    reads: 'build-times',
    constraint: 'ignored',
    matcher: () => (tag) => (tag.created === undefined ? 'its build time is unknown' : { tag }),
    compare: (a, b) => (a.tag.created ?? 0) - (b.tag.created ?? 0) || compareByName(a, b),
  },
  alphabetical: {
    aliases: ['name'],
    description: 'the last tag in alphabetical order',
    reads: 'tags',
    constraint: 'ignored',
    matcher: () => (tag) => ({ tag }),
    compare: compareByName,
  },
  digest: {
    aliases: [],
    description: 'the current digest of the tag in the constraint',
    reads: 'digest',
    constraint: 'tag',
    matcher: (constraint) => (tag) => (tag.name === constraint ? { tag } : `not the tag ${constraint}`),
    compare: compareByName,
  },
} as const satisfies Record<string, Strategy>;

export type StrategyName = keyof typeof strategies;

export const strategyNames = Object.keys(strategies).filter((name) => isStrategyName(name));
export const strategyOf = (name: StrategyName): Strategy => strategies[name];

function isStrategyName(text: string): text is StrategyName {
  return Object.hasOwn(strategies, text);
}

/** An unknown name is an error: a default would update applications by an unintended rule. */
export function parseStrategy(text: string): StrategyName {
  const name = text.trim().toLowerCase();
  const found = strategyNames.find((each) => each === name || strategyOf(each).aliases.includes(name));
  if (found) return found;
  throw new ImagesError(
    'InvalidStrategy',
    `unknown update strategy ${JSON.stringify(text)}: use ${strategyNames.join(', ')}`,
  );
}

/** Undefined if the tag is not a version. */
export function versionOf(tag: string): Version | undefined {
  // Many tags are not versions, and an exception for each is slow.
  if (!/^v?\d/u.test(tag)) return undefined;
  try {
    return parseVersion(tag);
  } catch {
    return undefined;
  }
}

function compareByName({ tag: a }: Candidate, { tag: b }: Candidate): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** `1.0` and `1.0.0` are the same version; the more specific tag is the newer one. */
function compareByVersion(a: Candidate, b: Candidate): number {
  return (a.version && b.version ? compareVersions(a.version, b.version) : 0) || compareByName(a, b);
}

function matchVersions(constraint: string | undefined): Matcher {
  const range = readRange(constraint);
  return (tag) => {
    const version = versionOf(tag.name);
    if (!version) return 'not a version';
    if (satisfies(version, range)) return { tag, version };
    return version.prerelease !== '' && !/-/u.test(constraint ?? '')
      ? `a pre-release, which ${constraint || '*'} does not include`
      : `outside of ${constraint}`;
  };
}

function readRange(text: string | undefined): Constraint {
  try {
    return parseConstraint(text || '*');
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new ImagesError('InvalidConstraint', `${JSON.stringify(text)} is not a version constraint: ${problem}`);
  }
}
