import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controllerMetrics } from './controller-metrics.ts';
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

test('a controller has the figures of its queue by lane, and a lane that is idle leaves them', () => {
  const registry = new MetricsRegistry();
  const metrics = controllerMetrics(registry, 'apps');
  metrics.queue.depth('tenant-1', 3);
  metrics.queue.waited('tenant-1', 250);
  metrics.reconciled('done', 40);
  assert.match(registry.text(), /^workqueue_depth\{name="apps",lane="tenant-1"\} 3$/m);
  assert.match(registry.text(), /^workqueue_queue_duration_seconds_sum\{name="apps",lane="tenant-1"\} 0.25$/m);
  assert.match(registry.text(), /^controller_reconcile_total\{controller="apps",result="done"\} 1$/m);
  metrics.dropLane('tenant-1');
  assert.doesNotMatch(registry.text(), /tenant-1/);
});
