/**
 * The timeline of metrics of the seed: the scraped metrics after three cycles in which applications are added and removed, in both modes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StatusServer, startStatusServer } from '@fairlead/kube';
import { settle } from '@fairlead/sim';
import type { Report } from '../src/run/report.ts';
import { annotated, runtimeSetup } from './support/runtime-setup.ts';

const perApplication = [
  'images_watched_total',
  'images_updated_total',
  'images_errors_total',
  'images_considered_total',
  'images_skipped_total',
  'application_update_duration_seconds_count',
  'application_last_attempt_timestamp',
  'application_last_success_timestamp',
];

async function scrape(server: StatusServer): Promise<{ applications: string[]; text: string }> {
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  const applications = [...new Set([...text.matchAll(/application="([^"]+)"/gu)].map(([, name]) => name!))].sort();
  return { applications, text };
}

for (const mode of ['cycle', 'continuous'] as const) {
  test(`series of deleted applications are removed, others are kept (${mode})`, async () => {
    const { runtime, state, metrics, clock } = runtimeSetup(undefined, { mode, intervalMs: 1_000 });
    const server = await startStatusServer({ port: 0, registry: metrics, live: new Map(), ready: new Map() });
    const round = async (...names: string[]) => {
      state.applications = names.map((name) => annotated(name));
      if (mode === 'cycle') await runtime.cycle();
      else await runtime.tick();
      await settle();
      await clock.advance(1_000);
      return scrape(server);
    };
    try {
      const first = await round('app1', 'app2', 'app3');
      assert.deepEqual(first.applications, ['app1', 'app2', 'app3']);
      for (const name of perApplication) {
        assert.match(
          first.text,
          new RegExp(`^argocd_image_updater_${name}\\{application="app2",namespace="argocd"\\} `, 'mu'),
          name,
        );
      }
      const considered = (text: string) =>
        /images_considered_total\{application="app1",namespace="argocd"\} (\d+)/u.exec(text)?.[1];
      assert.equal(considered(first.text), '1');
      const second = await round('app1', 'app3');
      assert.deepEqual(second.applications, ['app1', 'app3']);
      assert.equal(considered(second.text), '2', 'counters continue');
      const third = await round('app1', 'app3', 'app4');
      assert.deepEqual(third.applications, ['app1', 'app3', 'app4']);
      assert.match(third.text, /^argocd_image_updater_applications_watched_total 3$/mu);
    } finally {
      await server.close();
    }
  });

  test(`a worker that still runs for a deleted application does not create its series again (${mode})`, async () => {
    const ends: (() => void)[] = [];
    const { runtime, state, series, clock } = runtimeSetup(
      () => new Promise<Partial<Report>>((resolve) => ends.push(() => resolve({ considered: 5 }))),
      { mode, intervalMs: 1_000 },
    );
    state.applications = [annotated('slow')];
    const running = mode === 'cycle' ? runtime.cycle() : runtime.tick();
    await settle();
    assert.ok((await series('slow')).length > 0);
    state.applications = [];
    await clock.advance(1_000);
    // A tick while it still runs; in cycle mode the round of a webhook can run in between.
    await (mode === 'cycle' ? runtime.notify([]) : runtime.tick());
    assert.deepEqual(await series('slow'), []);
    for (const end of ends) end();
    await running;
    await settle();
    assert.deepEqual(await series('slow'), []);
  });

  test(`an application recreated with the same name starts without metrics (${mode})`, async () => {
    const { runtime, state, series, clock } = runtimeSetup(async () => ({ considered: 3 }), {
      mode,
      intervalMs: 1_000,
    });
    const round = async (uid: string) => {
      state.applications = [annotated('web', { uid })];
      await (mode === 'cycle' ? runtime.cycle() : runtime.tick());
      await settle();
      await clock.advance(1_000);
    };
    await round('1');
    await round('1');
    assert.ok((await series('web')).some((line) => /considered_total.* 6$/u.test(line)));
    await round('2');
    assert.ok((await series('web')).some((line) => /considered_total.* 3$/u.test(line)));
  });
}
