import { type Constraint, parseConstraint, satisfies } from '@fairlead/render/semver';
import { ImagesError } from '../images-error.ts';
import { byName, compareDates, compareVersionTags, type VersionTag, versionOf } from './sort-tags.ts';
import type { Strategy } from './strategy.ts';
import { type Tag, tagsByName } from './tag.ts';
import type { TagFilter } from './tag-filter.ts';

export interface SelectionRule {
  readonly strategy: Strategy;
  /** Versions for semver, the tag for digest; the others have no use for one. */
  readonly constraint?: string | undefined;
  readonly filter?: TagFilter;
}

/** What became of one tag, and why. */
export interface Verdict {
  readonly tag: string;
  readonly outcome: 'chosen' | 'kept' | 'dropped';
  readonly reason: string;
}

export interface Selection {
  readonly chosen: Tag | undefined;
  /** How many tags were considered after all filters. */
  readonly kept: number;
  /** One sentence on why there is none, where there is none. */
  readonly reason: string;
  /** Every tag with its fate; worked out when it is asked for. */
  verdicts(): Verdict[];
}

/** The newest of the tags by a rule. Never what the filters drop, and nothing where nothing is left. */
export function selectTag(tags: Iterable<Tag>, rule: SelectionRule): Selection {
  const judge = judgeOf(rule);
  const known = tagsByName(tags);
  let best: Candidate | undefined;
  let kept = 0;
  for (const tag of known.values()) {
    const candidate = judge(tag);
    if (typeof candidate === 'string') continue;
    kept++;
    if (!best || compareCandidates(rule.strategy, candidate, best) > 0) best = candidate;
  }
  return {
    chosen: best?.tag,
    kept,
    reason: best ? '' : known.size === 0 ? 'the registry has no tags' : `none of ${known.size} tags fits`,
    verdicts: () => Array.from(known.values(), (tag) => verdictOn(tag, judge(tag), best, rule.strategy)),
  };
}

type Candidate = VersionTag | { readonly tag: Tag; readonly version?: undefined };

const compareCandidates = (strategy: Strategy, a: Candidate, b: Candidate): number =>
  a.version && b.version
    ? compareVersionTags(a, b)
    : strategy === 'newest-build'
      ? compareDates(a.tag, b.tag)
      : byName(a.tag, b.tag);

function verdictOn(tag: Tag, candidate: Candidate | string, best: Candidate | undefined, strategy: Strategy): Verdict {
  if (typeof candidate === 'string') return { tag: tag.name, outcome: 'dropped', reason: candidate };
  if (best?.tag.name === tag.name) return { tag: tag.name, outcome: 'chosen', reason: `newest by ${strategy}` };
  return { tag: tag.name, outcome: 'kept', reason: `older than ${best!.tag.name}` };
}

/** Why a tag is dropped, or what it is compared by. */
function judgeOf({ strategy, constraint, filter }: SelectionRule): (tag: Tag) => Candidate | string {
  const range = strategy === 'semver' ? readConstraint(constraint) : undefined;
  if (strategy === 'digest' && !constraint) {
    throw new ImagesError('InvalidConstraint', 'the digest strategy needs the tag to watch: write image:tag');
  }
  return (tag) => {
    const dropped = filter?.dropped(tag.name);
    if (dropped !== undefined) return dropped;
    if (strategy === 'digest') return tag.name === constraint ? { tag } : `not the tag ${constraint}`;
    if (strategy === 'alphabetical') return { tag };
    if (strategy === 'newest-build') return tag.created === undefined ? 'its build time is not known' : { tag };
    const version = versionOf(tag);
    if (!version) return 'not a version';
    if (satisfies(version.version, range!)) return version;
    return version.version.prerelease !== '' && !/-/u.test(constraint ?? '')
      ? `a pre-release, which ${constraint || '*'} does not admit`
      : `outside of ${constraint}`;
  };
}

function readConstraint(text: string | undefined): Constraint {
  try {
    return parseConstraint(text || '*');
  } catch (error) {
    throw new ImagesError(
      'InvalidConstraint',
      `${JSON.stringify(text)} is not a range of versions: ${(error as Error).message}`,
    );
  }
}
