import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep, untilAborted } from '@fairlead/kube';
import { settle } from '@fairlead/sim';
import { ImagesError } from '../src/images-error.ts';
import { annotated, runtimeSetup } from './support/runtime-setup.ts';

const many = (count: number, repoURL?: string) =>
  Array.from({ length: count }, (_, i) => annotated(`app${i}`, repoURL ? { repoURL } : {}));

test('a cycle updates all Applications with limited concurrency, and waits for all', async () => {
  let running = 0;
  let most = 0;
  const made = runtimeSetup(
    async () => {
      most = Math.max(most, ++running);
      await sleep(made.clock, 100);
      running--;
      return { considered: 1 };
    },
    { maxConcurrency: 3 },
  );
  made.state.applications = many(10);
  const cycle = made.runtime.cycle();
  await made.clock.advance(10_000);
  assert.equal((await cycle).length, 10);
  assert.equal(most, 3);
  assert.match(await made.metrics.text(), /update_cycle_duration_seconds_count 1$/mu);
});

test('cycles start at the interval; a slow one delays the next', async () => {
  const made = runtimeSetup(
    async () => {
      await sleep(made.clock, 30_000);
      return {};
    },
    { intervalMs: 120_000 },
  );
  made.state.applications = [annotated('a')];
  const stop = new AbortController();
  const run = made.runtime.run(stop.signal);
  await made.clock.advance(400_000);
  stop.abort();
  await run;
  const start = made.state.updates[0]!.at;
  assert.deepEqual(
    made.state.updates.map(({ at }) => (at - start) / 1000),
    [0, 150, 300],
  );
});

test('a cycle that takes longer than the interval continues next to the next one, which skips its running updates', async () => {
  const made = runtimeSetup(
    async (name, _notBefore, onWaiting) => {
      if (name !== 'slow') return {};
      onWaiting();
      await sleep(made.clock, 250_000);
      return {};
    },
    { intervalMs: 100_000, maxConcurrency: 1 },
  );
  made.state.applications = [annotated('slow'), annotated('quick')];
  const stop = new AbortController();
  const run = made.runtime.run(stop.signal);
  await made.clock.advance(230_000);
  assert.deepEqual(
    made.state.updates.map(({ name, at }) => [name, (at - made.state.updates[0]!.at) / 1000]),
    [
      ['slow', 0],
      ['quick', 0],
      ['quick', 100],
      ['quick', 200],
    ],
  );
  stop.abort();
  await made.clock.advance(250_000);
  await run;
});

test('an update that waits for registries is cancelled when its Application is deleted or the process stops', async () => {
  const ended: string[] = [];
  const made = runtimeSetup(async (name, _notBefore, _onWaiting, signal) => {
    await untilAborted(new Promise(() => {}), signal).catch(() => ended.push(name));
    return {};
  });
  made.state.applications = [annotated('deleted'), annotated('other')];
  const stop = new AbortController();
  const run = made.runtime.run(stop.signal);
  await settle();
  made.runtime.cancel('argocd/deleted');
  await settle();
  assert.deepEqual(ended, ['deleted']);
  stop.abort();
  await run;
  assert.deepEqual(ended, ['deleted', 'other']);
});

test('continuous: each Application has its own schedule, never runs twice at once, and a hanging one does not delay others', async () => {
  const made = runtimeSetup(
    async (name) => {
      await sleep(made.clock, name === 'slow' ? 50_000 : 10);
      return {};
    },
    { mode: 'continuous', intervalMs: 10_000, tickMs: 1_000 },
  );
  made.state.applications = [annotated('slow'), annotated('quick')];
  const stop = new AbortController();
  const run = made.runtime.run(stop.signal);
  await made.clock.advance(35_500);
  const counts = (name: string) => made.state.updates.filter((updateOf) => updateOf.name === name).length;
  assert.equal(counts('quick'), 4);
  assert.equal(counts('slow'), 1);
  stop.abort();
  await made.clock.advance(60_000);
  await run;
});

test('continuous: the concurrency limit is global', async () => {
  let running = 0;
  let most = 0;
  const made = runtimeSetup(
    async () => {
      most = Math.max(most, ++running);
      await sleep(made.clock, 2_500);
      running--;
      return {};
    },
    { mode: 'continuous', intervalMs: 60_000, maxConcurrency: 4 },
  );
  made.state.applications = many(12);
  const stop = new AbortController();
  const run = made.runtime.run(stop.signal);
  await made.clock.advance(20_000);
  assert.equal(most, 4);
  assert.equal(made.state.updates.length, 12);
  stop.abort();
  await made.clock.advance(10_000);
  await run;
});

test('the limit for one repository does not stall the cycle: the rest follows in the next, and deferred updates are counted', async () => {
  const made = runtimeSetup(async () => ({}), { perRepositoryCap: 2, maxConcurrency: 1 });
  made.state.applications = [
    ...many(5, 'https://git.example.com/one.git'),
    annotated('other', { repoURL: 'https://git.example.com/two.git' }),
  ].map((application, i) => ({
    ...application,
    metadata: {
      ...application.metadata,
      annotations: { ...application.metadata.annotations, 'argocd-image-updater.argoproj.io/write-back-method': 'git' },
      uid: `u${i}`,
    },
  }));
  const rounds: string[][] = [];
  for (let round = 0; round < 3; round++) {
    made.state.updates.length = 0;
    await made.runtime.cycle();
    rounds.push(made.state.updates.map(({ name }) => name));
    await made.clock.advance(1_000);
  }
  assert.deepEqual(rounds[0], ['app0', 'app1', 'other']);
  assert.deepEqual(rounds[1], ['app2', 'app3', 'other']);
  assert.equal(rounds[2]![0], 'app4');
  assert.match(await made.metrics.text(), /scheduler_skipped_total\{reason="per-repo-cap"\} 9$/mu);
});

test('history survives cycles: failed ones are first, then those that waited longest', async () => {
  const made = runtimeSetup(
    async (name) =>
      name === 'app2' ? { problems: [{ image: 'web', error: new ImagesError('RegistryUnavailable', 'down') }] } : {},
    { schedule: 'fail-first', maxConcurrency: 1 },
  );
  made.state.applications = many(3);
  await made.runtime.cycle();
  made.state.updates.length = 0;
  await made.runtime.cycle();
  assert.deepEqual(
    made.state.updates.map(({ name }) => name),
    ['app2', 'app0', 'app1'],
  );
});

test('registries are queried once, before the first decision', async () => {
  const made = runtimeSetup(async () => ({}), { warmUp: true });
  made.state.applications = many(2);
  await made.runtime.cycle();
  await made.runtime.cycle();
  assert.equal(made.state.warmedUp, 1);
});

test('an update that waits for a shared commit releases its slot', async () => {
  for (const mode of ['cycle', 'continuous'] as const) {
    const made = runtimeSetup(
      async (_name, _notBefore, waits) => {
        await settle();
        waits();
        await sleep(made.clock, 2_000);
        return {};
      },
      { maxConcurrency: 2, mode, intervalMs: 60_000 },
    );
    made.state.applications = many(30);
    const round = mode === 'cycle' ? made.runtime.cycle() : made.runtime.tick();
    for (let i = 0; i < 50; i++) await settle();
    assert.equal(made.state.updates.length, 30, mode);
    await made.clock.advance(2_000);
    await round;
  }
});

test('a webhook updates the Applications with the image at once, with tags read after it', async () => {
  const seen: number[] = [];
  const made = runtimeSetup(async (_name, notBefore) => {
    seen.push(notBefore);
    return {};
  });
  made.state.applications = [annotated('a'), annotated('b', { image: 'db=example.com/db:^1' })];
  await made.clock.advance(5_000);
  await made.runtime.notify([{ registry: 'example.com', repository: 'web', tag: '1.1.0', digest: '' }]);
  assert.deepEqual(
    made.state.updates.map(({ name }) => name),
    ['a'],
  );
  assert.deepEqual(seen, [made.clock.now()]);
  assert.deepEqual(made.state.invalidated, ['web']);
});

test('a failed round does not stop the updater', async () => {
  const made = runtimeSetup(async () => ({}), { intervalMs: 1_000 });
  let broken = true;
  made.state.applications = [annotated('a')];
  Object.defineProperty(made.state, 'applications', {
    get() {
      if (broken) throw new Error('the API is unavailable');
      return [annotated('a')];
    },
  });
  const stop = new AbortController();
  const run = made.runtime.run(stop.signal);
  await made.clock.advance(1_500);
  assert.equal(made.state.updates.length, 0);
  broken = false;
  await made.clock.advance(1_000);
  assert.ok(made.state.updates.length > 0);
  stop.abort();
  await settle();
  await run;
});

test('continuous: with a repository cap, every Application of a busy repository is updated in turn', async () => {
  const made = runtimeSetup(
    async () => {
      await sleep(made.clock, 900);
      return {};
    },
    { mode: 'continuous', intervalMs: 3_000, perRepositoryCap: 1 },
  );
  made.state.applications = many(8, 'https://git.example.com/one.git').map((application) => ({
    ...application,
    metadata: {
      ...application.metadata,
      annotations: {
        ...application.metadata.annotations,
        'argocd-image-updater.argoproj.io/write-back-method': 'git',
      },
    },
  }));
  const stop = new AbortController();
  const run = made.runtime.run(stop.signal);
  await made.clock.advance(60_000);
  stop.abort();
  await made.clock.advance(1_000);
  await run;
  const counts = Map.groupBy(made.state.updates, ({ name }) => name);
  assert.equal(counts.size, 8, 'none starves');
  const sizes = [...counts.values()].map((updates) => updates.length);
  assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, `updates: ${sizes.join(', ')}`);
});
