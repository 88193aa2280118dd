import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../meta/api-error.ts';
import { formatSelector, parseLabelSelector, selectorFromObject } from './label-selector.ts';

const labels = { app: 'web', tier: '', size: '12' };

const matching: readonly [selector: string, matches: boolean][] = [
  ['', true],
  ['app=web', true],
  ['app==web', true],
  ['app!=web', false],
  ['app!=db', true],
  ['other!=x', true],
  ['app', true],
  ['!app', false],
  ['!other', true],
  ['tier=', true],
  ['app in (db, web)', true],
  ['app in (db)', false],
  ['app notin (db)', true],
  ['other notin (db)', true],
  ['size>11', true],
  ['size<12', false],
  ['app>1', false],
  ['app=web,size>1,!other', true],
  ['app=web,app=db', false],
  ['toString', false],
];

test('a selector is parsed as in kube-apiserver', () => {
  for (const [selector, expected] of matching) {
    assert.equal(parseLabelSelector(selector).matches(labels), expected, selector);
  }
});

test('a selector that does not parse is a bad request with the position', () => {
  const messages: readonly [string, RegExp][] = [
    ['!!', /found '!', expected: identifier/],
    ['a b', /found 'b', expected: in, notin/],
    ['a=b,', /expected: identifier after ','/],
    ['a in b', /expected: '\('/],
    ['a>x', /must be an integer/],
    ['bad key=x', /expected: in, notin/],
    ['-a=x', /<nil>: Invalid value: "-a"/],
    ['a=-', /Invalid value: "-"/],
  ];
  for (const [selector, message] of messages) {
    assert.throws(
      () => parseLabelSelector(selector),
      (error: unknown) => error instanceof ApiError && error.code === 400 && message.test(error.message),
      selector,
    );
  }
});

test('the object form and the query form are equivalent', () => {
  const selector = selectorFromObject({
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['b', 'a'] },
      { key: 'gone', operator: 'DoesNotExist' },
    ],
  });
  assert.equal(formatSelector(selector), 'app=web,!gone,tier in (a,b)');
  assert.ok(selector.matches({ app: 'web', tier: 'a' }));
  assert.ok(!selector.matches({ app: 'web', tier: 'c' }));
  assert.ok(!selector.matches({ app: 'web', tier: 'a', gone: '' }));
});
