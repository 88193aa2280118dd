import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureEventLoopLag, stopwatch } from './support/index.ts';

test('a blocked event loop is measured, with and without CPU work', async () => {
  for (const block of [blockWithWork, blockAsleep]) {
    const lag = measureEventLoopLag();
    await sleep(20);
    block(300);
    await sleep(20);
    const ms = lag.stop();
    assert.ok(ms >= 100, `${block.name}: ${ms} ms`);
  }
});

test('work in small steps does not count as lag', async () => {
  const lag = measureEventLoopLag();
  for (let i = 0; i < 20; i++) {
    blockWithWork(10);
    await sleep(1);
  }
  assert.ok(lag.stop() < 100);
});

test('a stopwatch counts work and sleep, and no time in which others have the processor', async () => {
  const [wall, elapsed] = [performance.now(), stopwatch()];
  blockWithWork(100);
  await sleep(100);
  const ms = elapsed();
  assert.ok(ms >= 195, `${ms} ms`);
  assert.ok(ms <= performance.now() - wall);
});

/** In CPU time, so that a busy machine does not shorten the work. */
function blockWithWork(ms: number): void {
  const end = cpuMs() + ms;
  while (cpuMs() < end);
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function blockAsleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
