import assert from 'node:assert/strict';
import { test } from 'node:test';
import { globMatcher } from './glob.ts';

const cases: [pattern: string, separator: string, matches: string[], not: string[]][] = [
  ['*.yaml', '', ['a.yaml', 'b/c.yaml', '.yaml'], ['a.yml', 'a.yaml.bak']],
  ['*.yaml', '/', ['a.yaml'], ['b/c.yaml']],
  ['**/c.yaml', '/', ['a/b/c.yaml'], ['c.yaml']],
  ['{*.yml,*.yaml}', '', ['a.yml', 'a.yaml'], ['a.json']],
  ['{config.yaml,env-use2/*}', '', ['config.yaml', 'env-use2/x'], ['x/config.yaml']],
  ['team-?', '', ['team-a'], ['team-', 'team-ab']],
  ['[a-c]x', '', ['ax', 'cx'], ['dx']],
  ['[!a-c]x', '', ['dx'], ['ax']],
  ['[abc.]', '', ['.', 'b'], ['d', '-']],
  ['a\\*b', '', ['a*b'], ['axb']],
  ['a+(b)|c.d$', '', ['a+(b)|c.d$'], ['aab', 'c.d']],
  ['https://git.example.com/*', '/', ['https://git.example.com/x'], ['https://git.example.com/x/y']],
  ['{a,{b,c}d}', '', ['a', 'bd', 'cd'], ['b', 'ad']],
  ['*', '', ['', 'a/b\nc'], []],
];

for (const [pattern, separator, matches, not] of cases) {
  test(`glob ${pattern}${separator ? ` with ${separator}` : ''}`, () => {
    const match = globMatcher(pattern, separator);
    for (const text of matches) assert.equal(match(text), true, text);
    for (const text of not) assert.equal(match(text), false, text);
  });
}

test('an unterminated glob is an error that names it', () => {
  assert.throws(() => globMatcher('{a,b'), /glob "\{a,b" has a \{ without its \}/);
  assert.throws(() => globMatcher('[a'), /has a \[ without its \]/);
  assert.throws(() => globMatcher('a\\'), /ends with a backslash/);
});
