import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectorMatches } from './label-selector.ts';

const labels = new Map([
  ['app', 'web'],
  ['tier', 'front'],
  ['n', '5'],
]);

test('a selector matches labels as in Kubernetes', () => {
  const table: [selector: string, matches: boolean][] = [
    ['', true],
    ['app=web', true],
    ['app==web', true],
    ['app = db', false],
    ['app!=db', true],
    ['missing!=x', true],
    ['app', true],
    ['!app', false],
    ['!missing', true],
    ['app in (web, db)', true],
    ['app notin (web)', false],
    ['missing notin (a)', true],
    ['n>4,n<6', true],
    ['n>5', false],
    ['app=web,tier=back', false],
    ['app=,tier', false],
  ];
  for (const [selector, matches] of table) assert.equal(selectorMatches(labels, selector), matches, selector);
});

test('text that is not a selector is an error', () => {
  for (const selector of ['=', 'a=b c', 'a in b', 'a in (b', 'a,,b', '!'])
    assert.throws(
      () => selectorMatches(labels, selector),
      /: (?:found '.*', expected: |unable to parse requirement: )/u,
      selector,
    );
});
