/** Patterns that take exponential time as regular expressions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { globMatcher } from './glob.ts';
import { BadPattern, pathMatcher } from './path-pattern.ts';

/** CPU time, so that a busy machine does not count. */
function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const patterns = [
  '*a*a*a*a*a*b',
  '*a'.repeat(500),
  '{a,*}'.repeat(200),
  `${'{'.repeat(300)}*a${'}'.repeat(300)}b`,
  `${'[a-z]*'.repeat(300)}!`,
  `${'?*'.repeat(300)}!`,
];
for (const pattern of patterns) {
  test(`the glob ${pattern.slice(0, 30)} takes linear time`, () => {
    const text = 'a'.repeat(4_000);
    const once = cpuMs(() => globMatcher(pattern, '/')(text.slice(0, 1_000)));
    const fourTimes = cpuMs(() => globMatcher(pattern, '/')(text));
    assert.ok(fourTimes < 250 * 4, `${fourTimes} ms`);
    assert.ok(fourTimes < 12 * Math.max(once, 5), `${once} ms for a quarter, ${fourTimes} ms`);
  });
}

test('tags are filtered in linear time: 10,000 tags with an exponential pattern', () => {
  const matches = pathMatcher('*a*a*a*a*a*b');
  const tags = Array.from({ length: 10_000 }, (_, i) => `${'a'.repeat(60)}${i}`);
  const ms = cpuMs(() => assert.equal(tags.filter(matches).length, 0));
  assert.ok(ms < 2_000, `${ms} ms`);
});

test('a pattern that is too long is refused', () => {
  assert.throws(() => globMatcher('*a'.repeat(2_000)), /at most 2048 characters/);
  assert.throws(() => pathMatcher('*a'.repeat(2_000)), BadPattern);
});

test('matchers agree with the regular expressions that they replace', () => {
  const pieces = ['a', 'b', '/', '*', '**', '?', '[ab]', '[!a]', '{a,b/}', '{a*,}'];
  const expressions: Record<string, string> = {
    '*': '[^/]*',
    '**': '.*',
    '?': '[^/]',
    '[ab]': '[ab]',
    '[!a]': '[^a]',
    '{a,b/}': '(?:a|b/)',
    '{a*,}': '(?:a[^/]*|)',
  };
  let seed = 3;
  const random = (n: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (seed >> 8) % n;
  };
  for (let i = 0; i < 5_000; i++) {
    const chosen = Array.from({ length: random(6) }, () => pieces[random(pieces.length)] ?? '');
    // Two stars in a row are one token.
    if (/\*\*\*|\*(?=\*)(?<!\*\*)/u.test(chosen.join('').replaceAll('{a*,}', ''))) continue;
    // One double star between two texts is compared differently: see the next test.
    if (/^[^*?[{]+\*\*[^*?[{]+$/u.test(chosen.join(''))) continue;
    const expression = new RegExp(`^(?:${chosen.map((piece) => expressions[piece] ?? piece).join('')})$`, 'su');
    const text = Array.from({ length: random(6) }, () => 'ab/'[random(3)]).join('');
    assert.equal(globMatcher(chosen.join(''), '/')(text), expression.test(text), `${chosen.join('')} ${text}`);
  }
});

test('prefix and suffix of a pattern with one star may overlap, as in Argo CD', () => {
  assert.ok(globMatcher('team-a/*/web')('team-a/web'));
  assert.ok(globMatcher('team-a/**/web', '/')('team-a/web'));
  assert.ok(globMatcher('a\\**\\*b')('a*b'));
  assert.ok(!globMatcher('team-a/*/web')('team-a/api'));
  assert.ok(!globMatcher('team-a/*/web', '/')('team-a/web'));
  assert.ok(!globMatcher('team-a/*/*/web')('team-a/web'));
});
