/** Versions and constraints parse or are a `SemverError`; versions are ordered, and a version satisfies the constraints that name it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import {
  compareVersions,
  formatVersion,
  parseConstraint,
  parseVersion,
  SemverError,
  satisfies,
} from '../../src/semver/index.ts';

const words = '0 1 2 10 99999999999999999999 . - + x X * v ^ ~ > < = >= <= != || , - alpha beta.1 rc-2 01 \t'.split(
  ' ',
);
const version = fc.oneof(mutated(['1.2.3', 'v1.2.3-alpha.1+build', '1', '0.0.0-0'], words), wordsOf(words, 8), anyText);
const constraint = fc.oneof(
  mutated(['>=1.2.3, <2.0.0 || ^3.1', '~1.2', '1.x', '1.0 - 2.0', '*', '!=1.2.3 >0'], words),
  wordsOf(words, 12),
  anyText,
);

export const target = fuzzTarget({
  inputs: fc.record({ a: version, b: version, constraint }),
  check({ a, b, constraint: written }: Record<'a' | 'b' | 'constraint', string>) {
    const [first, second] = [a, b].map((text) => unlessRefused([SemverError], () => parseVersion(text)));
    const range = unlessRefused([SemverError], () => parseConstraint(written));
    if (first && range) satisfies(first, range);
    if (first) {
      const text = formatVersion(first);
      assert.equal(compareVersions(parseVersion(text), first), 0);
      assert.ok(satisfies(first, parseConstraint(`=${text}`)), `=${text}`);
      assert.ok(!satisfies(first, parseConstraint(`!=${text}`)), `!=${text}`);
    }
    if (first && second) assert.equal(compareVersions(first, second) + compareVersions(second, first), 0);
  },
});
