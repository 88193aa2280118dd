import type { LabelSelector } from '@fairlead/apimachinery';
import { type Selector as Matcher, selectorFromObject } from '@fairlead/apimachinery';

const parsed = new WeakMap<LabelSelector, Matcher>();

/** Objects of caches are shared and never change, so each selector is parsed once. */
export function matcherOf(selector: LabelSelector): Matcher {
  let matcher = parsed.get(selector);
  if (!matcher) {
    matcher = selectorFromObject(selector);
    parsed.set(selector, matcher);
  }
  return matcher;
}

/** An empty selector matches nothing: it can only be a mistake. */
export function selects(selector: LabelSelector | undefined, labels: Record<string, string> | undefined): boolean {
  if (!selector) return false;
  const matcher = matcherOf(selector);
  return matcher.requirements.length > 0 && matcher.matches(labels);
}
