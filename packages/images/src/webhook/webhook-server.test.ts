import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import type { ImageEvent } from './event.ts';
import { EventQueue } from './event-queue.ts';
import { webhookKinds } from './kinds.ts';
import { maxWebhookBytes, startWebhookServer } from './server.ts';

const event: ImageEvent = { registry: 'docker.io', repository: 'team/app', tag: '1.0.0', digest: '' };
const body = JSON.stringify({ repository: { repo_name: 'team/app' }, push_data: { tag: '1.0.0' } });

test('events are on disk before the 200 response, and are read again after a crash until they are processed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'events-'));
  try {
    const first = new EventQueue(dir);
    await first.put([event], 1);
    await first.put([{ ...event, tag: '1.1.0' }], 2);
    assert.equal(readdirSync(dir).length, 2);
    const after = new EventQueue(dir);
    assert.equal(after.length, 2);
    const stop = new AbortController();
    const seen: string[] = [];
    await after.drain(async (events) => {
      seen.push(...events.map(({ tag }) => tag));
      stop.abort();
    }, stop.signal);
    assert.deepEqual(seen, ['1.0.0', '1.1.0']);
    assert.deepEqual(readdirSync(dir), []);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('events that could not be processed are retried', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'events-'));
  try {
    const clock = new VirtualClock();
    const queue = new EventQueue(dir);
    await queue.put([event], 1);
    const stop = new AbortController();
    let tries = 0;
    const draining = queue.drain(
      async () => {
        if (++tries < 3) throw new Error('the API is unavailable');
        stop.abort();
      },
      stop.signal,
      clock,
    );
    await clock.advance(10_000);
    await draining;
    assert.equal(tries, 3);
    assert.deepEqual(readdirSync(dir), []);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('the status code of each webhook request', async () => {
  const accepted: ImageEvent[] = [];
  let full = false;
  let admit = true;
  const registered = [{ kind: webhookKinds.find(({ type }) => type === 'docker.io')!, secret: 's3' }];
  const server = await startWebhookServer(
    {
      registered,
      async accept(events) {
        if (full) throw new Error('no space left');
        accepted.push(...events);
      },
      admit: () => admit,
    },
    { host: '127.0.0.1', port: 0 },
  );
  const send = async (path: string, content = body, method = 'POST'): Promise<number> =>
    (await fetch(`${server.url}${path}`, { method, ...(method === 'POST' ? { body: content } : {}) })).status;
  try {
    assert.equal(await send('/webhook?type=docker.io&secret=s3'), 200);
    assert.deepEqual(accepted, [event]);
    assert.equal(await send('/webhook?type=docker.io&secret=guess'), 400);
    assert.equal(await send('/webhook?type=docker.io'), 400);
    assert.equal(await send('/webhook?type=quay.io&secret=s3'), 400);
    assert.equal(await send('/webhook?type=docker.io&secret=s3', 'x'.repeat(maxWebhookBytes + 10)), 413);
    assert.equal(await send('/elsewhere'), 404);
    assert.equal(await send('/healthz', '', 'GET'), 200);
    full = true;
    assert.equal(
      await send('/webhook?type=docker.io&secret=s3'),
      503,
      'an event that is not stored is not acknowledged',
    );
    admit = false;
    assert.equal(await send('/webhook?type=docker.io&secret=s3'), 429);
    assert.equal(accepted.length, 1);
  } finally {
    await server.close();
  }
});
