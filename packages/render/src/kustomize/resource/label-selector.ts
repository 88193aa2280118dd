import { parseLabelSelector, type Selector } from '@fairlead/apimachinery/primitives';
import { messageOf } from '../../util/errors.ts';
import { KustomizeError } from '../kustomize-error.ts';

const maxCached = 1000;
const cache = new Map<string, Selector>();

/** Whether labels, or annotations, match a selector such as `a=b,c!=d,e in (f,g),!h`. */
export function selectorMatches(labels: ReadonlyMap<string, string>, selector: string): boolean {
  return selector === '' || parsed(selector).matches(Object.fromEntries(labels));
}

function parsed(text: string): Selector {
  const known = cache.get(text);
  if (known) return known;
  if (cache.size >= maxCached) cache.clear();
  try {
    const selector = parseLabelSelector(text);
    cache.set(text, selector);
    return selector;
  } catch (error) {
    throw new KustomizeError(messageOf(error));
  }
}
