import assert from 'node:assert/strict';
import { test } from 'node:test';
import { semverCompare } from './constraint.ts';
import { compareVersions, formatVersion, parseVersion } from './version.ts';

/** `+` before what meets the constraint, `-` before what does not. */
const table: readonly (readonly [constraint: string, versions: string])[] = [
  ['1.2.3', '+1.2.3 +v1.2.3 +1.2.3+build -1.2.4 -1.2.3-rc.1'],
  ['1.2', '+1.2.0 +1.2.9 -1.3.0'],
  ['1', '+1.0.0 +1.9.9 -2.0.0 -0.9.0'],
  ['1.x', '+1.2.3 -2.0.0'],
  ['*', '+0.0.0 +9.9.9 -1.0.0-rc.1'],
  ['!=1.2.3', '-1.2.3 +1.2.4'],
  ['!=1.2', '-1.2.9 +1.3.0'],
  ['!=1', '-1.2.3 +2.0.0'],
  ['>11', '-11.9.9 +12.0.0'],
  ['>11.1', '-11.1.9 +11.2.0'],
  ['>1.2.3', '-1.2.3 +1.2.4'],
  ['<=1', '+1.9.9 -2.0.0'],
  ['<=1.2', '+1.2.9 -1.3.0'],
  ['<1.2', '+1.1.9 -1.2.0'],
  ['>=1.0, <2.0', '+1.5.0 -2.0.0'],
  ['>=1.0 <2.0', '+1.5.0 -2.0.0'],
  ['~1.2.3', '+1.2.3 +1.2.9 -1.3.0 -1.2.2'],
  ['~>1', '+1.9.0 -2.0.0'],
  ['^1.2.3', '+1.9.9 -2.0.0 -1.2.2'],
  ['^0.2.3', '+0.2.9 -0.3.0'],
  ['^0.0.3', '+0.0.3 -0.0.4'],
  ['^0.0', '+0.0.9 -0.1.0'],
  ['^0', '+0.9.9 -1.0.0'],
  ['1.0 - 2.0', '+1.0.0 +2.0.9 -2.1.0'],
  ['1.0 || ^3', '+1.0.5 +3.1.0 -2.0.0'],
  ['>=1.0.0-0', '+1.5.0-rc.1 +2.0.0'],
  ['^1.2.0-0', '+1.3.0-beta.1 -2.0.0'],
];

test('constraints', () => {
  for (const [constraint, versions] of table)
    for (const version of versions.split(' '))
      assert.equal(semverCompare(constraint, version.slice(1)), version.startsWith('+'), `${constraint} on ${version}`);
});

test('an invalid constraint or version is an error', () => {
  assert.throws(() => semverCompare('>>1', '1.0.0'), { message: 'improper constraint: ">>1"' });
  assert.throws(() => semverCompare('1.0 | 2.0', '1.0.0'), { message: 'constraint parser error' });
  assert.throws(() => semverCompare('1.0 ||', '1.0.0'), { message: 'improper constraint: ""' });
  assert.throws(() => semverCompare('*', 'latest'), { message: 'invalid semantic version' });
  assert.throws(() => semverCompare('*', '1.2.3-01'), { message: 'version segment starts with 0' });
  assert.throws(() => semverCompare('*', `${2n ** 64n}.0.0`), { message: /value out of range/u });
  assert.throws(() => semverCompare(' '.repeat(100_000), '1.0.0'), { message: /improper constraint/u });
});

test('precedence', () => {
  const order = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.0.1',
    '2.0.0',
  ];
  const sorted = [...order].reverse().sort((a, b) => compareVersions(parseVersion(a), parseVersion(b)));
  assert.deepEqual(sorted, order);
  assert.equal(formatVersion(parseVersion('v1.2-rc.1+b')), '1.2.0-rc.1+b');
});
