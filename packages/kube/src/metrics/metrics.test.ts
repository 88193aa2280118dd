import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { controllerMetrics } from '../controller/controller-metrics.ts';
import { Lanes } from '../queue/lanes.ts';
import { ExponentialBackoff } from '../queue/rate-limiter.ts';
import { RateLimitingQueue } from '../queue/rate-limiting-queue.ts';
import { MetricsRegistry } from './metrics.ts';

test('counters, gauges and histograms are written as Prometheus reads them', () => {
  const registry = new MetricsRegistry();
  const syncs = registry.counter('syncs_total', 'Syncs by result', ['result', 'app']);
  syncs.increase({ result: 'ok', app: 'a "quoted"\\\n' });
  syncs.increase({ result: 'ok', app: 'a "quoted"\\\n' }, 2);
  registry.gauge('age_seconds', 'Age').set({}, 1.5);
  const times = registry.histogram('time_seconds', 'Times', [], [1, 5]);
  for (const value of [0.5, 1, 3, 100]) times.observe({}, value);
  assert.equal(
    registry.text(),
    `# HELP age_seconds Age
# TYPE age_seconds gauge
age_seconds 1.5
# HELP syncs_total Syncs by result
# TYPE syncs_total counter
syncs_total{result="ok",app="a \\"quoted\\"\\\\\\n"} 3
# HELP time_seconds Times
# TYPE time_seconds histogram
time_seconds_bucket{le="1"} 2
time_seconds_bucket{le="5"} 3
time_seconds_bucket{le="+Inf"} 4
time_seconds_sum 104.5
time_seconds_count 4
`,
  );
});

test('series of what is gone can be dropped, by any of their labels', () => {
  const registry = new MetricsRegistry();
  const depth = registry.gauge('depth', 'Depth', ['queue', 'lane']);
  for (const queue of ['q', 'r']) for (const lane of ['a', 'b']) depth.set({ queue, lane }, 1);
  depth.remove({ lane: 'a' });
  depth.remove({ queue: 'r', lane: 'b' });
  assert.deepEqual(registry.text().split('\n').slice(2, -1), ['depth{queue="q",lane="b"} 1']);
});

test('a name is one metric: asked for again it is the same, asked for as another it is refused', () => {
  const registry = new MetricsRegistry();
  assert.equal(registry.counter('n_total', 'N', ['a']), registry.counter('n_total', 'N', ['a']));
  assert.throws(() => registry.gauge('n_total', 'N', ['a']), /exists as a counter/);
  assert.throws(() => registry.counter('n_total', 'N', ['b']), /exists as a counter of \(a\)/);
  assert.throws(() => registry.counter('no name', 'N'), /no name for a metric/);
  assert.throws(() => registry.counter('m_total', 'M').increase({}, -1), /does not go down/);
});

test('figures that are looked up are as of the reading', () => {
  const registry = new MetricsRegistry();
  const size = registry.gauge('size', 'Size');
  let now = 1;
  registry.onRead(() => size.set({}, now));
  registry.text();
  now = 2;
  assert.match(registry.text(), /^size 2$/m);
});

test('a controller has the figures of its queue by lane; an idle lane has no depth, and one that is gone has nothing', async () => {
  const registry = new MetricsRegistry();
  const metrics = controllerMetrics(registry, 'apps');
  const order = new Lanes({ laneOf: (key) => key.split('/')[0]!, onIdle: metrics.laneIdle });
  const clock = new VirtualClock();
  const queue = new RateLimitingQueue({
    clock,
    order,
    metrics: metrics.queue,
    rateLimiter: new ExponentialBackoff({ baseMs: 60_000 }),
  });
  for (const key of ['t1/a', 't1/b', 't2/a']) queue.add(key);
  const shows = (line: string) => registry.text().split('\n').includes(line);
  assert.ok(shows('workqueue_depth{name="apps",lane="t1"} 2'));
  assert.ok(shows('workqueue_adds_total{name="apps",lane="t1"} 2'));
  await clock.advance(250);
  for (let i = 0; i < 3; i++) {
    const key = (await queue.get())!;
    await clock.advance(40);
    if (key === 't2/a') queue.addRateLimited(key);
    queue.done(key);
  }
  assert.doesNotMatch(registry.text(), /workqueue_depth/);
  assert.ok(shows('workqueue_queue_duration_seconds_count{name="apps",lane="t1"} 2'));
  assert.ok(shows('workqueue_work_duration_seconds_sum{name="apps",lane="t2"} 0.04'));
  assert.ok(shows('workqueue_retries_total{name="apps",lane="t2"} 1'));
  metrics.laneGone('t1');
  assert.doesNotMatch(registry.text(), /lane="t1"/);
});

test('a controller counts its reconciles by result', () => {
  const registry = new MetricsRegistry();
  const metrics = controllerMetrics(registry, 'apps');
  metrics.reconciled('done', 40);
  metrics.reconciled('error', 60);
  metrics.busyWorkers(2);
  assert.match(registry.text(), /^controller_reconcile_total\{controller="apps",result="done"\} 1$/m);
  assert.match(registry.text(), /^controller_reconcile_time_seconds_sum\{controller="apps"\} 0.1$/m);
  assert.match(registry.text(), /^controller_active_workers\{controller="apps"\} 2$/m);
});
