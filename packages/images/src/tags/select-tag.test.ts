import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { selectTag } from './select-tag.ts';
import { parseStrategy } from './strategy.ts';
import { tagFilter } from './tag-filter.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));
const chosen = (names: string[], constraint?: string, allow?: string, ignore: string[] = []) =>
  selectTag(named(...names), { strategy: 'semver', constraint, filter: tagFilter(allow, ignore) }).chosen?.name;

test('semver: the highest version that the constraint permits; pre-releases only if the constraint has one', () => {
  const tags = ['1.0.0', '1.2.0', '1.3.0-rc.1', '2.0.0', 'latest', 'v1.2.1', '1.2'];
  assert.equal(chosen(tags), '2.0.0');
  assert.equal(chosen(tags, '^1'), 'v1.2.1');
  assert.equal(chosen(tags, '^1.0.0-0'), '1.3.0-rc.1');
  assert.equal(chosen(tags, '^1', 'regexp:^v'), 'v1.2.1');
  assert.equal(chosen(tags, '^1', undefined, ['v*']), '1.2.0');
  assert.equal(chosen(tags, '^7'), undefined);
});

test('decisions() gives an outcome and a reason for every tag', () => {
  const selection = selectTag(named('1.0.0', '1.2.0', '2.0.0', '1.3.0-rc.1', 'latest', 'dev-1'), {
    strategy: 'semver',
    constraint: '^1',
    filter: tagFilter('regexp:^[^d]', ['late*']),
  });
  assert.deepEqual(
    selection.decisions().map(({ tag, outcome, reason }) => `${tag} ${outcome}: ${reason}`),
    [
      '1.0.0 kept: older than 1.2.0',
      '1.2.0 chosen: newest by semver',
      '2.0.0 dropped: outside of ^1',
      '1.3.0-rc.1 dropped: a pre-release, which ^1 does not include',
      'latest dropped: ignore-tags late* matches',
      'dev-1 dropped: allow-tags regexp:^[^d] does not match',
    ],
  );
});

test('the selected tag is always one of the kept ones, for any order of tags', () => {
  const tag = fc.oneof(
    fc.constantFrom('latest', 'main', '1', 'v2'),
    fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join('.')),
  );
  const strategy = fc.constantFrom('semver', 'alphabetical' as const);
  fc.assert(
    fc.property(
      fc.array(tag, { maxLength: 20 }),
      strategy,
      fc.constantFrom(undefined, '^1', '>=0.2 <2'),
      (tags, how, constraint) => {
        const rule = { strategy: parseStrategy(how), constraint };
        const selection = selectTag(named(...tags), rule);
        const decisions = selection.decisions();
        assert.equal(decisions.filter(({ outcome }) => outcome === 'chosen').length, selection.chosen ? 1 : 0);
        assert.equal(decisions.filter(({ outcome }) => outcome !== 'dropped').length, selection.kept);
        assert.equal(selectTag(named(...tags.toReversed()), rule).chosen?.name, selection.chosen?.name);
      },
    ),
  );
});

test('an invalid strategy, filter or constraint is an error, never a silent default', () => {
  assert.throws(() => parseStrategy('newest'), { reason: 'InvalidStrategy', message: /use semver, newest-build/u });
  assert.throws(() => tagFilter('regexp:(', []), { reason: 'InvalidFilter' });
  assert.throws(() => tagFilter('v1.*', []), { reason: 'InvalidFilter', message: /write any, or regexp:/u });
  assert.throws(() => tagFilter(undefined, ['[a-']), { reason: 'InvalidFilter' });
  assert.throws(() => chosen(['1.0.0'], 'latest'), { reason: 'InvalidConstraint' });
  assert.throws(() => selectTag(named('a'), { strategy: 'digest' }), { reason: 'InvalidConstraint' });
});

test('200,000 tags and an expression prone to catastrophic backtracking are processed', () => {
  const many = Array.from({ length: 200_000 }, (_, i) => ({ name: `1.${i >> 8}.${i & 255}` }));
  assert.equal(selectTag(many, { strategy: 'semver', constraint: '^1' }).chosen?.name, '1.781.63');
  assert.equal(chosen([`${'a'.repeat(5_000)}!`], undefined, 'regexp:^(a+)+$'), undefined);
});
