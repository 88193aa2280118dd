import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { controllerMetrics } from '../controller/controller-metrics.ts';
import { Lanes } from '../queue/lanes.ts';
import { ExponentialBackoff } from '../queue/rate-limiter.ts';
import { RateLimitingQueue } from '../queue/rate-limiting-queue.ts';
import type { MetricDefinition } from './definitions.ts';
import { MetricsRegistry } from './metrics.ts';

const syncs = { name: 'syncs_total', type: 'counter', labels: ['result', 'app'], help: 'Syncs by result' } as const;

test('counters, gauges and histograms are in the Prometheus text format', async () => {
  const registry = new MetricsRegistry();
  const { counter, gauge, histogram } = registry.create({
    counter: syncs,
    gauge: { name: 'age_seconds', type: 'gauge', help: 'Age' },
    histogram: { name: 'time_seconds', type: 'histogram', help: 'Times', buckets: [1, 5] },
  } as const);
  counter.increase({ result: 'ok', app: 'a "quoted"\\\n' });
  counter.increase({ app: 'a "quoted"\\\n', result: 'ok' }, 2);
  gauge.set({}, 1.5);
  for (const value of [0.5, 1, 3, 100, Number.NaN]) histogram.observe({}, value);
  assert.equal(
    await registry.text(),
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

test('a metric without a value is not written', async () => {
  const registry = new MetricsRegistry();
  const { depth } = registry.create({ syncs, depth: { name: 'depth', type: 'gauge', help: 'Depth' } } as const);
  assert.equal(await registry.text(), '');
  depth.set({}, 0);
  assert.match(await registry.text(), /^depth 0$/m);
});

test('series can be removed by some of their labels', async () => {
  const registry = new MetricsRegistry();
  const definition = { name: 'depth', type: 'gauge', labels: ['queue', 'lane'], help: 'Depth' } as const;
  const { depth } = registry.create({ depth: definition });
  for (const queue of ['q', 'r']) for (const lane of ['a', 'b']) depth.set({ queue, lane }, 1);
  depth.remove({ lane: 'a' });
  depth.remove({ queue: 'r', lane: 'b' });
  assert.deepEqual((await registry.text()).split('\n').slice(2, -1), ['depth{queue="q",lane="b"} 1']);
});

test('a histogram that was removed starts again from zero', async () => {
  const registry = new MetricsRegistry();
  const definition = { name: 'took', type: 'histogram', labels: ['lane'], help: 'Took', buckets: [1] } as const;
  const { took } = registry.create({ took: definition });
  took.observe({ lane: 'a' }, 0.5);
  took.remove({});
  took.observe({ lane: 'a' }, 2);
  assert.match(await registry.text(), /le="1",lane="a"\} 0\n.*le="\+Inf",lane="a"\} 1\n/);
});

test('a metric that is created again is the same; another type or other labels are rejected', () => {
  const registry = new MetricsRegistry();
  const { counter } = registry.create({ counter: syncs });
  assert.equal(registry.create({ again: syncs }).again, counter);
  const create = (definition: MetricDefinition) => () => registry.create({ definition });
  assert.throws(create({ ...syncs, type: 'gauge' }), /syncs_total is already defined as a counter/);
  assert.throws(create({ ...syncs, labels: ['b'] }), /a counter with the labels \(result, app\)/);
  assert.throws(create({ name: 'no name', type: 'gauge', help: 'N' }), /Invalid metric name/i);
  assert.throws(() => counter.increase({ result: '', app: '' }, -1), /syncs_total: a counter cannot decrease/);
});

test('a collector sets values at the time of the scrape', async () => {
  const registry = new MetricsRegistry();
  const { size } = registry.create({ size: { name: 'size', type: 'gauge', help: 'Size' } } as const);
  let now = 1;
  registry.onRead(() => size.set({}, now));
  await registry.text();
  now = 2;
  assert.match(await registry.text(), /^size 2$/m);
});

test('queue metrics have a lane label; an idle lane has no depth, and a removed lane has no series', async () => {
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
  const shows = async (line: string) => (await registry.text()).split('\n').includes(line);
  assert.ok(await shows('workqueue_depth{name="apps",lane="t1"} 2'));
  assert.ok(await shows('workqueue_adds_total{name="apps",lane="t1"} 2'));
  await clock.advance(250);
  for (let i = 0; i < 3; i++) {
    const key = (await queue.get())!;
    await clock.advance(40);
    if (key === 't2/a') queue.addRateLimited(key);
    queue.done(key);
  }
  assert.doesNotMatch(await registry.text(), /workqueue_depth/);
  assert.ok(await shows('workqueue_queue_duration_seconds_count{name="apps",lane="t1"} 2'));
  assert.ok(await shows('workqueue_work_duration_seconds_sum{name="apps",lane="t2"} 0.04'));
  assert.ok(await shows('workqueue_retries_total{name="apps",lane="t2"} 1'));
  metrics.laneGone('t1');
  assert.doesNotMatch(await registry.text(), /lane="t1"/);
});

test('a controller counts its reconciles by result', async () => {
  const registry = new MetricsRegistry();
  const metrics = controllerMetrics(registry, 'apps');
  metrics.reconciled('done', 40);
  metrics.reconciled('error', 60);
  metrics.busyWorkers(2);
  assert.match(await registry.text(), /^controller_reconcile_total\{controller="apps",result="done"\} 1$/m);
  assert.match(await registry.text(), /^controller_reconcile_time_seconds_sum\{controller="apps"\} 0.1$/m);
  assert.match(await registry.text(), /^controller_active_workers\{controller="apps"\} 2$/m);
});
