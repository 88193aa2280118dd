/** A slice of `npm run soak`: the measurement finds a leak in a real process, and a short run delivers everything. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sleep, systemClock } from '@fairlead/kube';
import { freePort } from '@fairlead/source/testing';
import { MeasuredProcess } from './measured-process.ts';
import type { Sample } from './measures.ts';
import { runSoak } from './run-soak.ts';
import { trends } from './trend.ts';

const program = fileURLToPath(new URL('./leaking-process.ts', import.meta.url));

async function measure(name: string): Promise<Sample[]> {
  const metricsPort = await freePort();
  const measured = new MeasuredProcess({
    name,
    args: [program, String(metricsPort), name],
    ready: 'ready',
    metricsPort,
  });
  await measured.start();
  try {
    const samples: Sample[] = [];
    for (let at = 0; at < 12; at++) {
      const reading = await measured.read();
      assert.ok(reading, measured.output);
      samples.push({ at, process: name, life: measured.life, ...reading });
      await sleep(systemClock, 300);
    }
    return samples;
  } finally {
    await measured.stop('SIGKILL');
  }
}

test('a process that leaks objects and descriptors is detected, and one without leaks is flat', async () => {
  const all = await Promise.all([measure('leak'), measure('keep nothing')]);
  const found = trends(all.flat(), 2)
    .filter(({ result, measure }) => result === 'grows' && measure !== 'lag')
    .map(({ process, measure }) => `${process}: ${measure}`);
  assert.ok(found.includes('leak: heap'), found.join());
  assert.ok(found.includes('leak: descriptors'), found.join());
  assert.deepEqual(
    found.filter((line) => !line.startsWith('leak')),
    [],
  );
});

test('a short run with changes, bad sources and restarts delivers everything', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-soak-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const { samples, done, missing } = await runSoak({
    dir,
    seconds: 4,
    parts: 'controller',
    slots: { hub: 2, edge: 0, perTenant: 0 },
    changeEveryMs: 200,
    sampleEveryMs: 300,
    faultEveryMs: 1_000,
    restarts: 1,
    restartSignals: ['SIGTERM'],
    seed: 1,
    report: () => {},
  });
  assert.deepEqual(missing, []);
  assert.deepEqual([...new Set(samples.map(({ process }) => process))].sort(), ['controller', 'hub-api']);
  assert.ok((done.get('commit') ?? 0) > 0, JSON.stringify([...done]));
  assert.ok(
    [...done.keys()].some((name) => name.startsWith('restart of')),
    JSON.stringify([...done]),
  );
});
