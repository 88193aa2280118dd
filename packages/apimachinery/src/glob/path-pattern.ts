import { codeOf, literal, maxGlobLength } from './glob.ts';
import { type Accepts, linearMatcher, type Pattern } from './linear-matcher.ts';

/** A pattern that `filepath.Match` of Go rejects. */
export class BadPattern extends Error {
  constructor(pattern: string) {
    super(
      `${JSON.stringify(pattern.slice(0, 200))} is not a valid pattern: use *, ?, [abc], [a-z] and \\ before a character meant itself`,
    );
    this.name = 'BadPattern';
  }
}

const notSlash: Accepts = (character) => character !== '/';

/** The same few patterns are used with every name. */
const known = new Map<string, (name: string) => boolean>();
const maxKnown = 1_000;

/**
 * Patterns as in `filepath.Match` of Go: `*` and `?` do not cross a `/`, `[^a-z]` is a set. The whole name must match. Takes linear time
 * for any pattern.
 */
export function pathMatcher(pattern: string): (name: string) => boolean {
  const found = known.get(pattern) ?? compile(pattern);
  if (known.size >= maxKnown) known.clear();
  known.set(pattern, found);
  return found;
}

function compile(pattern: string): (name: string) => boolean {
  if (pattern.length > maxGlobLength) throw new BadPattern(pattern);
  const characters = [...pattern];
  const parts: Pattern[] = [];
  for (let at = 0; at < characters.length; ) {
    const character = characters[at++] ?? '';
    if (character === '*') parts.push({ kind: 'many', accepts: notSlash });
    else if (character === '?') parts.push({ kind: 'one', accepts: notSlash });
    else if (character === '\\') {
      const next = characters[at++];
      if (next === undefined) throw new BadPattern(pattern);
      parts.push(literal(next));
    } else if (character === '[') {
      const set = readSet(characters, at, pattern);
      parts.push({ kind: 'one', accepts: set.accepts });
      at = set.end;
    } else parts.push(literal(character));
  }
  return linearMatcher({ kind: 'sequence', parts });
}

function readSet(characters: readonly string[], from: number, pattern: string): { accepts: Accepts; end: number } {
  let at = from;
  const negated = characters[at] === '^';
  if (negated) at++;
  const one = (): number => {
    let character = characters[at];
    if (character === undefined || character === '-' || character === ']') throw new BadPattern(pattern);
    if (character === '\\') character = characters[++at];
    if (character === undefined) throw new BadPattern(pattern);
    at++;
    if (at >= characters.length) throw new BadPattern(pattern);
    return codeOf(character);
  };
  // A reversed range contains nothing.
  const ranges: { readonly low: number; readonly high: number }[] = [];
  while (characters[at] !== ']' || ranges.length === 0) {
    const low = one();
    let high = low;
    if (characters[at] === '-') {
      at++;
      high = one();
    }
    ranges.push({ low, high });
  }
  const contains = (code: number): boolean => ranges.some(({ low, high }) => code >= low && code <= high);
  return { accepts: (character) => contains(codeOf(character)) !== negated, end: at + 1 };
}
