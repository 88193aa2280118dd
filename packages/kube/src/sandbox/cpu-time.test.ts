import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeMs, parseProcStat, parsePsTime } from './cpu-time.ts';

test('the CPU time is parsed from /proc/PID/stat', () => {
  assert.equal(parseProcStat('42 (a ) b) R 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0 1 0 99'), 1_750);
  assert.equal(parseProcStat(''), undefined);
});

test('the time format of ps is parsed', () => {
  assert.equal(parsePsTime('  0:01.50\n'), 1_500);
  assert.equal(parsePsTime('00:01:02'), 62_000);
  assert.equal(parsePsTime('1-02:03:04'), 93_784_000);
  assert.equal(parsePsTime('never'), undefined);
});

test('the CPU time of a process that does not exist is undefined', async () => {
  assert.equal(await cpuTimeMs(2 ** 30), undefined);
});
