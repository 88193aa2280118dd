import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeoutOf } from './deadline.ts';
import { encodeStatusMessage } from './status.ts';

test('timeouts have units from hours to nanoseconds, and at most eight digits', () => {
  const table: readonly (readonly [string | undefined, number | undefined])[] = [
    [undefined, undefined],
    ['1H', 3_600_000],
    ['2M', 120_000],
    ['3S', 3_000],
    ['40m', 40],
    ['5000u', 5],
    ['6000000n', 6],
    ['99999999H', 2 ** 31 - 1],
  ];
  for (const [header, ms] of table) assert.equal(timeoutOf(header), ms, header);
  for (const header of ['', '1', 'S', '-1S', '1s', '1.5S', '123456789S'])
    assert.throws(() => timeoutOf(header), { code: 'Internal' }, header);
});

test('messages are percent-encoded, byte by byte', () => {
  assert.equal(encodeStatusMessage('all ~ fine!'), 'all ~ fine!');
  assert.equal(encodeStatusMessage('100%\r\n ü'), '100%25%0D%0A %C3%BC');
});
