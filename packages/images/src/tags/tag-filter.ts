import { BadPattern, messageOf, pathMatcher } from '@fairlead/apimachinery';
import { RE2JS } from 're2js';
import { ImagesError } from '../images-error.ts';

/** Filters tags before they are compared with each other. */
export interface TagFilter {
  /** Why a tag is excluded; undefined if it is not. */
  dropped(tag: string): string | undefined;
}

/** `any`, `regexp:EXPRESSION` in the syntax of Go and in linear time, or nothing. */
export function parseAllow(text: string | undefined): (tag: string) => boolean {
  if (!text || text.toLowerCase() === 'any') return () => true;
  const colon = text.indexOf(':');
  const [kind, pattern] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
  if (kind.toLowerCase() !== 'regexp') {
    throw new ImagesError(
      'InvalidFilter',
      `allow-tags ${JSON.stringify(text)} is not understood: write any, or regexp: and an expression`,
    );
  }
  try {
    const expression = RE2JS.compile(pattern);
    return (tag) => expression.matcher(tag).find();
  } catch (error) {
    throw new ImagesError(
      'InvalidFilter',
      `allow-tags: ${JSON.stringify(pattern)} is not a regular expression: ${messageOf(error)}`,
    );
  }
}

/** Globs of ignored tags. */
export function parseIgnore(patterns: readonly string[]): (tag: string) => string | undefined {
  const matchers = patterns.map((pattern) => [pattern, ignoreMatcher(pattern)] as const);
  return (tag) => matchers.find(([, matches]) => matches(tag))?.[0];
}

function ignoreMatcher(pattern: string): (tag: string) => boolean {
  try {
    return pathMatcher(pattern);
  } catch (error) {
    if (error instanceof BadPattern) throw new ImagesError('InvalidFilter', `ignore-tags: ${error.message}`);
    throw error;
  }
}

export function tagFilter(allow: string | undefined, ignore: readonly string[]): TagFilter {
  const allowed = parseAllow(allow);
  const ignored = parseIgnore(ignore);
  return {
    dropped(tag) {
      if (!allowed(tag)) return `allow-tags ${allow} does not match`;
      const pattern = ignored(tag);
      return pattern === undefined ? undefined : `ignore-tags ${pattern} matches`;
    },
  };
}
