import { globMatcher } from '@fairlead/apimachinery';
import { RE2JS } from 're2js';

/** How the patterns of a policy are read: `policy.matchMode`. Every other value means glob. */
export type MatchMode = 'glob' | 'regex';

export const matchModeOf = (setting: string | undefined): MatchMode => (setting === 'regex' ? 'regex' : 'glob');

/** Thrown when a pattern that cannot be read is evaluated. The decision is then a denial. */
export class InvalidPattern extends Error {}

export type Matcher = (text: string) => boolean;

/**
 * Compiles a pattern. A glob that cannot be read matches nothing; a regular expression that cannot be read throws when it is evaluated. Both take linear time.
 * Expressions have RE2's syntax and match anywhere in the text.
 */
export function patternMatcher(mode: MatchMode, pattern: string): Matcher {
  try {
    if (mode === 'glob') return globMatcher(pattern);
    const expression = RE2JS.compile(pattern);
    return (text) => expression.matcher(text).find();
  } catch {
    if (mode === 'glob') return () => false;
    return () => {
      throw new InvalidPattern(`invalid regular expression: ${pattern}`);
    };
  }
}
