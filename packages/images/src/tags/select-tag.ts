import { ImagesError } from '../images-error.ts';
import { type Candidate, type Matcher, type StrategyName, strategyOf } from './strategy.ts';
import type { Tag } from './tag.ts';
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
  const steps = selectTagInSteps(tags, rule);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, with a step for each tag: a registry may have very many, and a filter may take long for each. */
export function* selectTagInSteps(tags: Iterable<Tag>, rule: SelectionRule): Generator<void, Selection> {
  const strategy = strategyOf(rule.strategy);
  const match = matcherOf(rule);
  const known = new Map<string, Tag>();
  for (const tag of tags) {
    yield;
    known.set(tag.name, tag);
  }
  let best: Candidate | undefined;
  let kept = 0;
  for (const tag of known.values()) {
    yield;
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
