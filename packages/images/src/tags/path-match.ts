import { elementAt } from '@fairlead/apimachinery';
/** A pattern that cannot be read. */
export class BadPattern extends Error {
  constructor(pattern: string) {
    super(
      `${JSON.stringify(pattern)} is not a valid pattern: use *, ?, [abc], [a-z] and \\ before a character meant itself`,
    );
    this.name = 'BadPattern';
  }
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&');
const inSet = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/u, '\\$&');

/** Patterns as Go's `filepath.Match` reads them: `*` and `?` do not cross a `/`, `[^a-z]` is a set. The whole name must match. */
export function pathMatcher(pattern: string): (name: string) => boolean {
  let expression = known.get(pattern);
  if (!expression) {
    expression = new RegExp(`^${translate(pattern)}$`, 'su');
    if (known.size >= maxKnown) known.clear();
    known.set(pattern, expression);
  }
  const compiled = expression;
  return (name) => compiled.test(name);
}

/** The same few patterns are asked for with every name. */
const known = new Map<string, RegExp>();
const maxKnown = 1_000;

function translate(pattern: string): string {
  const characters = [...pattern];
  let out = '';
  for (let i = 0; i < characters.length; i++) {
    const character = elementAt(characters, i);
    if (character === '*') out += '[^/]*';
    else if (character === '?') out += '[^/]';
    else if (character === '\\') {
      const next = characters[++i];
      if (next === undefined) throw new BadPattern(pattern);
      out += literal(next);
    } else if (character === '[') {
      const set = readSet(characters, i + 1, pattern);
      out += set.source;
      i = set.end;
    } else out += literal(character);
  }
  return out;
}

function readSet(characters: readonly string[], from: number, pattern: string): { source: string; end: number } {
  let at = from;
  const negated = characters[at] === '^';
  if (negated) at++;
  const one = (): string => {
    let character = characters[at];
    if (character === undefined || character === '-' || character === ']') throw new BadPattern(pattern);
    if (character === '\\') character = characters[++at];
    if (character === undefined) throw new BadPattern(pattern);
    at++;
    if (at >= characters.length) throw new BadPattern(pattern);
    return character;
  };
  const parts: string[] = [];
  for (let ranges = 0; characters[at] !== ']' || ranges === 0; ranges++) {
    const low = one();
    let high = low;
    if (characters[at] === '-') {
      at++;
      high = one();
    }
    // Go finds nothing in a range that runs backwards.
    if ((low.codePointAt(0) ?? 0) <= (high.codePointAt(0) ?? 0)) parts.push(`${inSet(low)}-${inSet(high)}`);
  }
  const body = parts.join('');
  const nothing = negated ? '[^]' : '[]';
  return { source: body === '' ? nothing : `[${negated ? '^' : ''}${body}]`, end: at };
}
