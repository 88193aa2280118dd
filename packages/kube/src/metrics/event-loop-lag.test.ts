import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventLoopMonitor, lagProblem } from './event-loop-lag.ts';
import { MetricsRegistry } from './metrics.ts';
import { startStatusServer } from './status-server.ts';

test('readiness reports an event loop that was blocked for too long, and metrics have the delay', async () => {
  const registry = new MetricsRegistry();
  const server = await startStatusServer({ port: 0, registry, live: new Map(), ready: new Map() });
  const url = `http://127.0.0.1:${server.port}`;
  try {
    await sleep(100);
    assert.match(await (await fetch(`${url}/readyz`)).text(), /^\[\+\] event loop ok$/mu);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);
    await sleep(100);
    const answer = await fetch(`${url}/readyz`);
    assert.equal(answer.status, 503);
    assert.match(
      await answer.text(),
      /^\[-\] event loop failed: the event loop was blocked for 2\d\d\d ms, more than 2000 ms$/mu,
    );
    assert.match(await registry.text(), /^nodejs_eventloop_lag_max_seconds 2\.\d+$/mu);
    assert.ok(eventLoopMonitor().maxMs() > 2_000);
  } finally {
    await server.close();
  }
});

test('a delay within the limit is not reported', () => {
  assert.equal(lagProblem(1_999), undefined);
});
