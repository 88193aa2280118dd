import type { Budget } from './budget.ts';
import { LuaError, type LuaValue } from './values.ts';

/** A match of a Lua pattern: start, end and captures (a position if the capture is empty). */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly captures: readonly LuaValue[];
}

const classes: Readonly<Record<string, RegExp>> = {
  a: /[A-Za-z]/,
  c: /\p{Cc}/u,
  d: /\d/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[ \t\n\v\f\r]/,
  u: /[A-Z]/,
  w: /[A-Za-z0-9]/,
  x: /[\da-fA-F]/,
  z: /\0/,
  g: /[!-~]/,
};

/** Finds patterns in a text. Each attempt to match a pattern item is a step of the budget: some patterns never finish. */
export class PatternMatcher {
  readonly #text: string;
  readonly #pattern: string;
  readonly #budget: Budget;
  #open: { start: number; length: number }[] = [];

  constructor(text: string, pattern: string, budget: Budget) {
    this.#text = text;
    this.#pattern = pattern;
    this.#budget = budget;
  }

  /** The first match at or after a position. */
  find(from: number): Match | undefined {
    const anchored = this.#pattern.startsWith('^');
    for (let start = from; start <= this.#text.length; start++) {
      this.#open = [];
      const end = this.#match(start, anchored ? 1 : 0, 0);
      if (end !== undefined) return { start, end, captures: this.#open.map((capture) => this.#captured(capture)) };
      if (anchored) return undefined;
    }
    return undefined;
  }

  #captured({ start, length }: { start: number; length: number }): LuaValue {
    if (length === -2) return start + 1;
    if (length === -1) throw new LuaError('unfinished capture');
    return this.#text.slice(start, start + length);
  }

  #match(at: number, p: number, depth: number): number | undefined {
    if (depth > 200) throw new LuaError('pattern too complex');
    let [s, i] = [at, p];
    for (;;) {
      this.#budget.step();
      if (i === this.#pattern.length) return s;
      const character = this.#pattern[i];
      if (character === '(')
        return this.#pattern[i + 1] === ')' ? this.#capture(s, i + 2, -2, depth) : this.#capture(s, i + 1, -1, depth);
      if (character === ')') return this.#close(s, i + 1, depth);
      if (character === '$' && i + 1 === this.#pattern.length) return s === this.#text.length ? s : undefined;
      if (character === '%' && this.#pattern[i + 1] === 'b') {
        const end = this.#balanced(s, i + 2);
        if (end === undefined) return undefined;
        [s, i] = [end, i + 4];
        continue;
      }
      if (character === '%' && /\d/u.test(this.#pattern[i + 1] ?? '')) {
        const end = this.#back(s, Number(this.#pattern[i + 1]));
        if (end === undefined) return undefined;
        [s, i] = [end, i + 2];
        continue;
      }
      const next = this.#itemEnd(i);
      const suffix = this.#pattern[next];
      if (suffix === '*' || suffix === '+') return this.#many(s, i, next, suffix === '+' ? 1 : 0, depth);
      if (suffix === '-') return this.#few(s, i, next, depth);
      const fits = this.#fits(s, i, next);
      if (suffix === '?') {
        if (fits) {
          const end = this.#match(s + 1, next + 1, depth + 1);
          if (end !== undefined) return end;
        }
        i = next + 1;
        continue;
      }
      if (!fits) return undefined;
      [s, i] = [s + 1, next];
    }
  }

  #many(s: number, i: number, next: number, least: number, depth: number): number | undefined {
    let count = 0;
    while (this.#fits(s + count, i, next)) {
      this.#budget.step();
      count += 1;
    }
    for (; count >= least; count--) {
      const end = this.#match(s + count, next + 1, depth + 1);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  #few(s: number, i: number, next: number, depth: number): number | undefined {
    for (let at = s; ; at++) {
      const end = this.#match(at, next + 1, depth + 1);
      if (end !== undefined) return end;
      if (!this.#fits(at, i, next)) return undefined;
    }
  }

  #capture(s: number, i: number, length: number, depth: number): number | undefined {
    const before = this.#open.length;
    this.#open.push({ start: s, length });
    const end = this.#match(s, i, depth + 1);
    if (end === undefined) this.#open.length = before;
    return end;
  }

  #close(s: number, i: number, depth: number): number | undefined {
    const capture = this.#open.findLast(({ length }) => length === -1);
    if (!capture) throw new LuaError('invalid pattern capture');
    capture.length = s - capture.start;
    const end = this.#match(s, i, depth + 1);
    if (end === undefined) capture.length = -1;
    return end;
  }

  #balanced(s: number, i: number): number | undefined {
    const [open, close] = [this.#pattern[i], this.#pattern[i + 1]];
    if (close === undefined) throw new LuaError("missing arguments to '%b'");
    if (this.#text[s] !== open) return undefined;
    let level = 1;
    for (let at = s + 1; at < this.#text.length; at++) {
      if (this.#text[at] === close) level -= 1;
      else if (this.#text[at] === open) level += 1;
      if (level === 0) return at + 1;
    }
    return undefined;
  }

  #back(s: number, number: number): number | undefined {
    const capture = this.#open[number - 1];
    if (!capture || capture.length < 0) throw new LuaError(`invalid capture index %${number}`);
    const text = this.#text.slice(capture.start, capture.start + capture.length);
    return this.#text.startsWith(text, s) ? s + text.length : undefined;
  }

  /** The end of the single item that starts here. */
  #itemEnd(i: number): number {
    const character = this.#pattern[i];
    if (character === '%') {
      if (i + 1 >= this.#pattern.length) throw new LuaError("malformed pattern (ends with '%')");
      return i + 2;
    }
    if (character !== '[') return i + 1;
    let at = this.#pattern[i + 1] === '^' ? i + 2 : i + 1;
    do {
      if (at >= this.#pattern.length) throw new LuaError("malformed pattern (missing ']')");
      at += this.#pattern[at] === '%' ? 2 : 1;
    } while (this.#pattern[at] !== ']');
    return at + 1;
  }

  #fits(s: number, i: number, next: number): boolean {
    const character = this.#text[s];
    if (character === undefined) return false;
    if (this.#pattern[i] === '.') return true;
    if (this.#pattern[i] === '%') return inClass(character, this.#pattern[i + 1]!);
    if (this.#pattern[i] === '[') return this.#inSet(character, i + 1, next - 1);
    return this.#pattern[i] === character;
  }

  #inSet(character: string, from: number, to: number): boolean {
    const negated = this.#pattern[from] === '^';
    for (let i = negated ? from + 1 : from; i < to; i++) {
      const here = this.#pattern[i]!;
      if (here === '%') {
        i += 1;
        if (inClass(character, this.#pattern[i]!)) return !negated;
      } else if (this.#pattern[i + 1] === '-' && i + 2 < to) {
        if (here <= character && character <= this.#pattern[i + 2]!) return !negated;
        i += 2;
      } else if (here === character) return !negated;
    }
    return negated;
  }
}

function inClass(character: string, name: string): boolean {
  const found = classes[name.toLowerCase()];
  if (!found) return name === character;
  return found.test(character) === (name === name.toLowerCase());
}
