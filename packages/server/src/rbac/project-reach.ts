import type { Matcher, MatchMode } from './pattern.ts';

/** Of which objects of a project something holds. `some`: each object has to be asked for. */
export type ProjectReach = 'all' | 'some' | 'none';

const special = /[*?[\]{},\\]/u;

/**
 * Which objects of a project a pattern matches, without a list of them. A glob that ends with `*` and matches `PROJECT/` matches all that
 * begins with it. Expressions are not analysed, except the one that matches everything.
 */
export function projectReach(pattern: string, project: string, mode: MatchMode, matches: Matcher): ProjectReach {
  if (mode === 'regex') return pattern === '.*' ? 'all' : 'some';
  const start = `${project}/`;
  const at = pattern.search(special);
  const literal = at < 0 ? pattern : pattern.slice(0, at);
  if (!start.startsWith(literal) && !literal.startsWith(start)) return 'none';
  const isOpenEnded = pattern.endsWith('*') && !/[[\]{}\\]/u.test(pattern);
  return isOpenEnded && matches(start) ? 'all' : 'some';
}

/** What holds if one of several is enough. */
export function widest(reaches: Iterable<ProjectReach>): ProjectReach {
  let found: ProjectReach = 'none';
  for (const reach of reaches) {
    if (reach === 'all') return 'all';
    if (reach === 'some') found = 'some';
  }
  return found;
}
