import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasExpired } from './token-expiry.ts';

const token = (claims: object): string => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

test('a token has expired at the second of its claim; one without the claim, or another text, never', () => {
  assert.equal(hasExpired(token({ exp: 100 }), 100_000), true);
  assert.equal(hasExpired(token({ exp: 100 }), 99_999), false);
  assert.equal(hasExpired(token({ sub: 'ann' }), 100_000), false);
  for (const other of ['', 'opaque', 'a.b.c', `x.${Buffer.from('[]').toString('base64url')}.x`])
    assert.equal(hasExpired(other, 100_000), false);
});
