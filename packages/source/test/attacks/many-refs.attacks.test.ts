import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { measureEventLoopLag } from '@fairlead/kube/testing';
import { createRepositories } from '../../src/git/repositories.ts';
import { startManyRefs } from '../support/many-refs.ts';

const refs = 2_000_000;
const scratch = mkdtempSync(join(tmpdir(), 'fairlead-many-refs-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

let caches = 0;
const open = () =>
  createRepositories({
    cacheDir: join(scratch, String(caches++)),
    clock: systemClock,
    environment: { PATH: process.env['PATH'] },
    pollMs: 60_000,
    allowLocal: false,
  });

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends) await end();
});

async function started(mode: 'prefixes' | 'everything' | 'old') {
  const [server, repositories] = [await startManyRefs(refs, mode), open()] as const;
  ends.push(
    () => repositories.close(),
    () => server.close(),
  );
  return [server, repositories] as const;
}

/** Runs an attack; returns the longest block of the event loop, and the maximum memory use. */
async function measured(attack: () => Promise<void>): Promise<void> {
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const lag = measureEventLoopLag();
  try {
    await attack();
  } finally {
    clearInterval(sampling);
  }
  const longest = lag.stop();
  assert.ok(longest <= 250, `the event loop was blocked for ${longest} ms`);
  const grown = Math.round((most - before) / 1024 ** 2);
  assert.ok(grown < 100, `memory grew by ${grown} MiB`);
}

test('with 2,000,000 branches only the required ref is requested', async () => {
  const [server, repositories] = await started('prefixes');
  await measured(async () => {
    assert.equal(await repositories.resolve(server.url, 'n1999999'), 'a'.repeat(40));
  });
  assert.deepEqual(server.lines.slice(1), ['sent 1']);
});

for (const mode of ['everything', 'old'] as const) {
  test(`a server that sends 2,000,000 branches (${mode}) gets an error that names the limit`, async () => {
    const [server, repositories] = await started(mode);
    await measured(async () => {
      await assert.rejects(repositories.resolve(server.url, 'n1'), (error: Error & { reason?: string }) => {
        assert.equal(error.reason, 'TooLarge', error.message);
        assert.match(error.message, /more than 1,000,000 refs \(limit gitRefs\)|limit gitRefsMemoryBytes/);
        return true;
      });
    });
    const began = performance.now();
    await assert.rejects(repositories.resolve(server.url, 'n2'), { reason: 'TooLarge' });
    assert.ok(
      performance.now() - began < 1_000,
      'other Applications of the repository get the error without a request',
    );
  });
}
