import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, scheduleProblem } from './cron-schedule.ts';

for (const schedule of [
  '* * * * *',
  '*/5 0-12/2 1,15 jan-mar MON',
  '0 0 ? * 0',
  '@hourly',
  '@midnight',
  '@every 1h30m',
  '0 0 1 1 sun,tue',
]) {
  test(`${schedule} is a schedule`, () => assert.equal(scheduleProblem(schedule), undefined));
}

for (const [schedule, problem] of [
  ['', 'expected exactly 5 fields, found 0: []'],
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['0 0 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['* * * * 7', 'end of range (7) above maximum (6): 7'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['@never', 'unrecognized descriptor: @never'],
  ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
] as const) {
  test(`${schedule || 'nothing'} is not a schedule`, () => assert.equal(scheduleProblem(schedule), problem));
}

for (const [zone, known] of [
  ['UTC', true],
  ['Europe/Berlin', true],
  ['US/Pacific', true],
  ['Etc/GMT+5', true],
  ['europe/berlin', false],
  ['us/pacific', false],
  ['+05:00', false],
  ['Mars/Olympus', false],
] as const) {
  test(`${zone} is ${known ? 'a' : 'not a'} time zone`, () => assert.equal(isTimeZone(zone), known));
}
