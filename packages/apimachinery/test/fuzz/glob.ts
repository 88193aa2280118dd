/** Globs match as in a slow reference matcher, or are a `GlobError` or a `BadPattern`. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { GlobError, globMatcher } from '../../src/glob/glob.ts';
import { BadPattern, pathMatcher } from '../../src/glob/path-pattern.ts';

const words = 'a b ab / * ** ? [ab] [!a] [^a] [a-c] { } , {a,b} \\ \\* [ ] - ! é 😀'.split(' ');
const pattern = fc.oneof({ arbitrary: wordsOf(words, 8).map((text) => text.replaceAll(' ', '')), weight: 4 }, anyText);
const text = fc.oneof(
  fc.array(fc.constantFrom('a', 'b', 'c', '/', 'é', '😀', ',', '*'), { maxLength: 10 }).map((parts) => parts.join('')),
  anyText,
);

/** `*`, `**` and `?` only, with backtracking. */
function matchesSlowly(glob: readonly string[], name: readonly string[], separator: string): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return name.length === 0;
  if (first === '*') {
    const crosses = rest[0] === '*';
    const after = crosses ? rest.slice(1) : rest;
    for (let taken = 0; taken <= name.length; taken++) {
      if (matchesSlowly(after, name.slice(taken), separator)) return true;
      if (!crosses && name[taken] === separator) return false;
    }
    return false;
  }
  const [character, ...others] = name;
  if (character === undefined || (first === '?' ? character === separator : character !== first)) return false;
  return matchesSlowly(rest, others, separator);
}

export const target = fuzzTarget({
  inputs: fc.record({ pattern, text }),
  check({ pattern: glob, text: name }: { readonly pattern: string; readonly text: string }) {
    unlessRefused([BadPattern], () => pathMatcher(glob)(name));
    for (const separator of ['', '/']) {
      const result = unlessRefused([GlobError], () => globMatcher(glob, separator)(name));
      const isSimple = !/[[\]{}\\,]/u.test(glob) && glob.length < 12 && name.length < 16;
      if (isSimple) assert.equal(result, matchesSlowly([...glob], [...name], separator));
    }
    const quoted = glob.replaceAll(/[*?[\]{}\\,!-]/gu, '\\$&');
    if (glob.length < 500) assert.equal(globMatcher(quoted)(glob), true, 'a quoted text matches itself');
  },
});
