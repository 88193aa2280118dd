import { ImagesError } from '../images-error.ts';
import { type Candidate, type Matcher, type StrategyName, strategyOf } from './strategy.ts';
import { type Tag, tagsByName } from './tag.ts';
import type { TagFilter } from './tag-filter.ts';

export interface SelectionRule {
  readonly strategy: StrategyName;
  /** The version of the configured image; its meaning depends on the strategy. */
  readonly constraint?: string | undefined;
  readonly filter?: TagFilter;
}

/** The decision of the rule about one tag, with the reason. */
export interface TagDecision {
  readonly tag: string;
  readonly outcome: 'chosen' | 'kept' | 'dropped';
  readonly reason: string;
}

export interface Selection {
  readonly chosen: Tag | undefined;
  /** The number of candidates after all filters. */
  readonly kept: number;
  /** Why no tag was chosen; empty if one was. */
  readonly reason: string;
  /** The decision about every tag, computed on demand. */
  decisions(): TagDecision[];
}

/** The newest tag by a rule; undefined if no tag is a candidate. */
export function selectTag(tags: Iterable<Tag>, rule: SelectionRule): Selection {
  const strategy = strategyOf(rule.strategy);
  const match = matcherOf(rule);
  const known = tagsByName(tags);
  let best: Candidate | undefined;
  let kept = 0;
  for (const tag of known.values()) {
    const candidate = match(tag);
    if (typeof candidate === 'string') continue;
    kept++;
    if (!best || strategy.compare(candidate, best) > 0) best = candidate;
  }
  return {
    chosen: best?.tag,
    kept,
    reason: best ? '' : known.size === 0 ? 'the registry has no tags' : `none of the ${known.size} tags matches`,
    decisions: () => Array.from(known.values(), (tag) => decisionOn(tag, match(tag), best, rule.strategy)),
  };
}

function decisionOn(
  { name }: Tag,
  candidate: Candidate | string,
  newest: Candidate | undefined,
  strategy: StrategyName,
): TagDecision {
  if (typeof candidate === 'string') return { tag: name, outcome: 'dropped', reason: candidate };
  if (newest?.tag.name === name) return { tag: name, outcome: 'chosen', reason: `newest by ${strategy}` };
  return { tag: name, outcome: 'kept', reason: `older than ${newest?.tag.name}` };
}

function matcherOf({ strategy: name, constraint, filter }: SelectionRule): Matcher {
  const strategy = strategyOf(name);
  if (strategy.constraint === 'tag' && !constraint)
    throw new ImagesError('InvalidConstraint', `the ${name} strategy needs the tag to watch: write image:tag`);
  const match = strategy.matcher(constraint);
  return (tag) => filter?.dropped(tag.name) ?? match(tag);
}
