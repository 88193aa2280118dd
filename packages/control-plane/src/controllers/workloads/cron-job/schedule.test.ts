import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchedule } from './schedule.ts';
import { formatInZone } from './wall-clock.ts';

const utc = (text: string): number => Date.parse(`${text}Z`);

/** The next times, in local time of the zone. */
function following(schedule: string, zone: string, after: string, count: number): string[] {
  const parsed = parseSchedule(schedule, zone);
  const times: string[] = [];
  for (let time = parsed.next(utc(after)); time !== undefined && times.length < count; time = parsed.next(time)) {
    times.push(formatInZone(time, zone));
  }
  return times;
}

const cases: readonly [schedule: string, zone: string, after: string, expected: string[]][] = [
  ['* * * * *', 'UTC', '2030-01-01T00:00:30', ['2030-01-01T00:01:00Z', '2030-01-01T00:02:00Z']],
  ['*/20 * * * *', 'UTC', '2030-01-01T23:40:00', ['2030-01-02T00:00:00Z', '2030-01-02T00:20:00Z']],
  ['5/20 8-9 * * *', 'UTC', '2030-01-01T08:30:00', ['2030-01-01T08:45:00Z', '2030-01-01T09:05:00Z']],
  ['30 6 * * MON-fri', 'UTC', '2030-01-04T07:00:00', ['2030-01-07T06:30:00Z']],
  [
    '0 0 13 * 5',
    'UTC',
    '2030-01-01T00:00:00',
    ['2030-01-04T00:00:00Z', '2030-01-11T00:00:00Z', '2030-01-13T00:00:00Z'],
  ],
  [
    '0 0 */2 * 5',
    'UTC',
    '2030-01-01T00:00:00',
    ['2030-01-03T00:00:00Z', '2030-01-04T00:00:00Z', '2030-01-05T00:00:00Z'],
  ],
  ['0 0 ? * 5', 'UTC', '2030-01-01T00:00:00', ['2030-01-04T00:00:00Z', '2030-01-11T00:00:00Z']],
  ['0 0 29 2 *', 'UTC', '2030-01-01T00:00:00', ['2032-02-29T00:00:00Z']],
  ['0 0 31 2 *', 'UTC', '2030-01-01T00:00:00', []],
  ['@monthly', 'UTC', '2030-01-01T00:00:00', ['2030-02-01T00:00:00Z']],
  ['@every 90s', 'UTC', '2030-01-01T00:00:10.5', ['2030-01-01T00:01:40Z', '2030-01-01T00:03:10Z']],
  ['0 9 * * *', 'Asia/Kolkata', '2030-01-01T00:00:00', ['2030-01-01T09:00:00+05:30']],
  ['TZ=Asia/Tokyo 0 9 * * *', 'UTC', '2030-01-01T00:00:00', ['2030-01-02T00:00:00Z']],
  // Clocks are set forward at 02:00: 02:30 does not exist on that day.
  ['30 2 * * *', 'America/New_York', '2030-03-09T12:00:00', ['2030-03-11T02:30:00-04:00']],
  ['0 3 * * *', 'America/New_York', '2030-03-09T12:00:00', ['2030-03-10T03:00:00-04:00', '2030-03-11T03:00:00-04:00']],
  // Clocks are set back at 02:00: 01:30 exists twice.
  [
    '30 1 * * *',
    'America/New_York',
    '2030-11-03T00:00:00',
    ['2030-11-03T01:30:00-04:00', '2030-11-03T01:30:00-05:00', '2030-11-04T01:30:00-05:00'],
  ],
  [
    '0 * * * *',
    'America/New_York',
    '2030-11-03T04:30:00',
    ['2030-11-03T01:00:00-04:00', '2030-11-03T01:00:00-05:00', '2030-11-03T02:00:00-05:00'],
  ],
  ['0 0 1 1 *', 'Europe/Berlin', '2030-06-01T00:00:00', ['2031-01-01T00:00:00+01:00']],
];

test('a schedule returns the next times, in its time zone', () => {
  for (const [schedule, zone, after, expected] of cases) {
    assert.deepEqual(following(schedule, zone, after, expected.length || 1), expected, `${schedule} ${zone}`);
  }
});

test('an invalid schedule is an error with the reason', () => {
  assert.throws(() => parseSchedule('* * * *', 'UTC'), /expected exactly 5 fields, found 4/);
  assert.throws(() => parseSchedule('0 25 * * *', 'UTC'), /above maximum \(23\)/);
});
