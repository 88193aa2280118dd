import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, systemClock } from '@fairlead/kube';
import { formatNanoTime, type LogEntry, readNanoTime } from './log-entry.ts';
import { mergeLogs } from './merge-logs.ts';

const entry = (pod: string, time: number): LogEntry => ({ pod, line: `${pod}${time}`, time: BigInt(time) });

async function* logOf(pod: string, ...times: number[]): AsyncGenerator<LogEntry> {
  for (const time of times) yield entry(pod, time);
}

async function collect(log: AsyncIterable<LogEntry>): Promise<string[]> {
  const lines: string[] = [];
  for await (const { line } of log) lines.push(line);
  return lines;
}

test('entries of several logs come in the order of their times', async () => {
  const logs = [logOf('a', 1, 4, 5), logOf('b', 2, 3, 6), logOf('c')];
  const merged = await collect(mergeLogs(logs, systemClock, new AbortController().signal));
  assert.deepEqual(merged, ['a1', 'b2', 'b3', 'a4', 'a5', 'b6']);
});

test('a log that has nothing to say does not hold up the others for long', async () => {
  const stop = new AbortController();
  const silent = async function* (): AsyncGenerator<LogEntry> {
    await new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
    yield entry('never', 0);
  };
  const merged = mergeLogs([logOf('a', 1, 2), silent()], systemClock, stop.signal);
  assert.equal((await merged.next()).value?.line, 'a1');
  assert.equal((await merged.next()).value?.line, 'a2');
  stop.abort();
  assert.equal((await merged.next()).done, true);
});

test('a log is not read further ahead than the limit', async () => {
  let read = 0;
  const endless = async function* (): AsyncGenerator<LogEntry> {
    for (;;) yield entry('a', read++);
  };
  const stop = new AbortController();
  const merged = mergeLogs([endless()], systemClock, stop.signal);
  await merged.next();
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(read <= limits.apiLogEntries + 2, `${read} entries were read`);
  stop.abort();
});

test('a log that fails ends the stream with its error, after what came before', async () => {
  const failing = async function* (): AsyncGenerator<LogEntry> {
    yield entry('a', 1);
    throw new Error('connection lost');
  };
  const merged = mergeLogs([failing()], systemClock, new AbortController().signal);
  assert.equal((await merged.next()).value?.line, 'a1');
  await assert.rejects(merged.next(), /connection lost/u);
});

test('times keep their nanoseconds', () => {
  for (const text of ['2024-01-02T03:04:05.000000001Z', '2024-01-02T03:04:05.1Z', '2024-01-02T03:04:05Z']) {
    const time = readNanoTime(text);
    assert.equal(time === undefined ? '' : formatNanoTime(time), text);
  }
  assert.equal(readNanoTime('2024-01-02T04:04:05.10+01:00'), readNanoTime('2024-01-02T03:04:05.1Z'));
  assert.equal(readNanoTime('junk'), undefined);
});
