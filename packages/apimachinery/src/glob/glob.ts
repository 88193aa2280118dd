import { type Accepts, linearMatcher, type Pattern } from './linear-matcher.ts';

/** An invalid pattern. */
export class GlobError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GlobError';
  }
}

/** Matching costs at most this many steps for each character of a text. */
export const maxGlobLength = 2_048;

/**
 * Globs as in Argo CD (the library gobwas/glob): `*`, `**`, `?`, `[abc]`, `[!a-z]`, `{a,b}`, `\` to escape a character. Without a separator
 * `*` also crosses `/`; with one, only `**` does. Takes linear time for any pattern.
 */
export function globMatcher(pattern: string, separator = ''): (text: string) => boolean {
  if (pattern.length > maxGlobLength) throw new GlobError(`a glob has at most ${maxGlobLength} characters`);
  // Most are plain names, or a prefix: these need no program.
  if (!/[*?[{\\]/u.test(pattern)) return (text) => text === pattern;
  if (separator === '' && /^[^*?[{\\]*\*$/u.test(pattern)) {
    const prefix = pattern.slice(0, -1);
    return (text) => text.startsWith(prefix);
  }
  const around = aroundOneStar(pattern, separator);
  if (around) return (text) => text.startsWith(around.prefix) && text.endsWith(around.suffix);
  return linearMatcher(new GlobParser(pattern, separator).parse());
}

// The prefix and suffix of a pattern with a single star. The library compares them separately, so they may overlap: `team-a/*/web` also
// matches `team-a/web`. Permissions depend on it.
function aroundOneStar(pattern: string, separator: string): { prefix: string; suffix: string } | undefined {
  const parts = /^((?:[^*?[\]{},\\]|\\.)+)(\*\*?)((?:[^*?[\]{},\\]|\\.)+)$/su.exec(pattern);
  const [, before = '', star, after = ''] = parts ?? [];
  if (star === undefined || (star === '*' && separator !== '')) return undefined;
  const unescaped = (text: string): string => text.replace(/\\(.)/gsu, '$1');
  return { prefix: unescaped(before), suffix: unescaped(after) };
}

const any: Accepts = () => true;

class GlobParser {
  readonly #pattern: string;
  readonly #characters: readonly string[];
  readonly #notSeparator: Accepts;
  #at = 0;

  constructor(pattern: string, separator: string) {
    this.#pattern = pattern;
    this.#characters = [...pattern];
    this.#notSeparator = separator === '' ? any : (character) => character !== separator;
  }

  parse(): Pattern {
    return this.#sequence(0);
  }

  /** Up to the end, or within braces up to `,` or `}`. */
  #sequence(depth: number): Pattern {
    const parts: Pattern[] = [];
    for (let character = this.#peek(); character !== undefined; character = this.#peek()) {
      if (depth > 0 && (character === ',' || character === '}')) break;
      parts.push(this.#part(depth));
    }
    return { kind: 'sequence', parts };
  }

  #part(depth: number): Pattern {
    const character = this.#take();
    switch (character) {
      case '\\':
        return literal(this.#peek() === undefined ? this.#wrong('ends with a backslash') : this.#take());
      case '*':
        if (this.#peek() !== '*') return { kind: 'many', accepts: this.#notSeparator };
        this.#take();
        return { kind: 'many', accepts: any };
      case '?':
        return { kind: 'one', accepts: this.#notSeparator };
      case '[':
        return this.#set();
      case '{':
        return this.#alternatives(depth);
      default:
        return literal(character);
    }
  }

  #alternatives(depth: number): Pattern {
    const options: Pattern[] = [];
    for (;;) {
      options.push(this.#sequence(depth + 1));
      const end = this.#peek();
      if (end === undefined) return this.#wrong('has a { without its }');
      this.#take();
      if (end === '}') return { kind: 'either', options };
    }
  }

  /** `a-z` is a range; everything else is literal. */
  #set(): Pattern {
    const close = this.#characters.indexOf(']', this.#at);
    if (close < 0) return this.#wrong('has a [ without its ]');
    const inside = this.#characters.slice(this.#at, close);
    this.#at = close + 1;
    const negated = inside[0] === '!';
    const members = negated ? inside.slice(1) : inside;
    const [first = '', dash, last = ''] = members;
    const isRange = members.length === 3 && dash === '-';
    const contains: Accepts = isRange
      ? (character) => codeOf(character) >= codeOf(first) && codeOf(character) <= codeOf(last)
      : (character) => members.includes(character);
    return { kind: 'one', accepts: (character) => contains(character) !== negated };
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(): string {
    return this.#characters[this.#at++] ?? '';
  }

  #wrong(what: string): never {
    throw new GlobError(`glob ${JSON.stringify(this.#pattern)} ${what}`);
  }
}

export const literal = (expected: string): Pattern => ({ kind: 'one', accepts: (character) => character === expected });

export const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
