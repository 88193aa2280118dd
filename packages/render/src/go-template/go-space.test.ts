import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimSpace, trimSpaceLeft } from './go-space.ts';

test('white space is the same as in Go', () => {
  assert.equal(trimSpace('\t\u0085 \u00a0a b\u2028\n'), 'a b');
  assert.equal(trimSpace('\ufeffa\ufeff'), '\ufeffa\ufeff');
  assert.equal(trimSpaceLeft(' \u3000a '), 'a ');
  assert.equal(trimSpace(' \n'), '');
});
