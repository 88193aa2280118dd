import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCron } from './cron.ts';

const cases: [schedule: string, after: string, next: string | undefined][] = [
  ['* * * * *', '2026-03-01T10:00:30Z', '2026-03-01T10:01:00Z'],
  ['0 22 * * *', '2026-03-01T10:00:00Z', '2026-03-01T22:00:00Z'],
  ['0 22 * * *', '2026-03-01T22:00:00Z', '2026-03-02T22:00:00Z'],
  ['*/15 9-17 * * mon-FRI', '2026-03-06T17:45:00Z', '2026-03-09T09:00:00Z'],
  ['0 0 31 * *', '2026-02-01T00:00:00Z', '2026-03-31T00:00:00Z'],
  ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['0 0 30 2 *', '2026-01-01T00:00:00Z', undefined],
  ['0 0 13 * fri', '2026-03-01T00:00:00Z', '2026-03-06T00:00:00Z'],
  ['5,35 0 1 jan,jul ?', '2026-01-01T00:05:00Z', '2026-01-01T00:35:00Z'],
  ['10/20 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:10:00Z'],
];
for (const [schedule, after, next] of cases) {
  test(`${schedule} after ${after} is ${next ?? 'never'}`, () => {
    const found = parseCron(schedule).next(Date.parse(after));
    assert.equal(found === undefined ? undefined : new Date(found).toISOString().replace('.000', ''), next);
  });
}

const wrong: [schedule: string, why: RegExp][] = [
  ['0 22 * *', /^Error: expected exactly 5 fields, found 4: \[0 22 \* \*\]$/],
  ['60 * * * *', /^Error: end of range \(60\) above maximum \(59\): 60$/],
  ['* * 0 * *', /^Error: beginning of range \(0\) below minimum \(1\): 0$/],
  ['* * * * 7', /^Error: end of range \(7\) above maximum \(6\): 7$/],
  ['*/0 * * * *', /^Error: step of range should be a positive number: \*\/0$/],
  ['5-1 * * * *', /^Error: beginning of range \(5\) beyond end of range \(1\): 5-1$/],
  ['* * * foo *', /^Error: failed to parse int from foo: strconv/],
];
for (const [schedule, why] of wrong) {
  test(`${schedule} is refused with the field that is wrong`, () => assert.throws(() => parseCron(schedule), why));
}

test('the next time is the earliest match after the given time, on a whole minute', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }),
      (minute, hour, seconds) => {
        const after = seconds * 1000;
        const next = parseCron(`${minute} ${hour} * * *`).next(after)!;
        assert.ok(next > after && next - after <= 86_400_000 && next % 60_000 === 0);
        assert.deepEqual([new Date(next).getUTCMinutes(), new Date(next).getUTCHours()], [minute, hour]);
      },
    ),
  );
});
