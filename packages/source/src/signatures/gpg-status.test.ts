import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKey, readStatus } from './gpg-status.ts';

const fingerprint = 'A'.repeat(40);
const primary = 'B'.repeat(40);
const good = `[GNUPG:] GOODSIG ${'A'.repeat(16)} ann\n[GNUPG:] VALIDSIG ${fingerprint} 2030-01-01 1 0 4 0 22 8 00 ${primary}\n`;

const cases: readonly [title: string, output: string, why: RegExp][] = [
  ['no output', '', /cannot be parsed/],
  ['output without status lines', 'GOODSIG AAAA ann', /cannot be parsed/],
  ['two signatures', `${good}${good}`, /has 2 signatures instead of one/],
  ['a good and a bad one', `${good}[GNUPG:] BADSIG ${'C'.repeat(16)} eve\n`, /has 2 signatures/],
  ['a key that has expired', `[GNUPG:] EXPKEYSIG ${'A'.repeat(16)} ann\n`, /key that has expired \(A{16}\)/],
  ['a key that was revoked', `[GNUPG:] REVKEYSIG ${'A'.repeat(16)} ann\n`, /revoked/],
  ['good, and not valid', `[GNUPG:] GOODSIG ${'A'.repeat(16)} ann\n`, /is not valid/],
];
for (const [title, output, why] of cases)
  test(`no valid signature: ${title}`, () => {
    const result = readStatus(output);
    assert.ok(!result.good);
    assert.match(result.why, why);
  });

test('a valid signature names the signing key and its primary key', () => {
  assert.deepEqual(readStatus(good), { good: true, fingerprints: [fingerprint, primary] });
});

test('a key matches by its fingerprint or its last 16 digits, in any notation', () => {
  const key = `${'A'.repeat(24)}0123456789ABCDEF`;
  for (const meant of [key, key.toLowerCase(), '0x0123456789abcdef', '0123 4567 89AB CDEF'])
    assert.ok(isKey(key, meant), meant);
  // A collision of eight digits can be generated in minutes.
  for (const meant of ['89ABCDEF', 'AAAA0123456789ABCDE', 'F'.repeat(16), '', '0x'])
    assert.ok(!isKey(key, meant), meant);
});
