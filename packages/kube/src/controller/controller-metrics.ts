import type { MetricsRegistry } from '../metrics/metrics.ts';
import type { ControllerMetrics } from './controller.ts';

export interface ControllerMetricsWithLanes extends ControllerMetrics {
  /** For the `onIdle` of `Lanes`: nothing waits in it, which needs no series. What it did is still counted. */
  laneIdle(lane: string): void;
  /** The tenant is gone: so are its figures. */
  laneGone(lane: string): void;
}

/** The figures of one controller and its queue, under the names that dashboards of Kubernetes controllers know. */
export function controllerMetrics(registry: MetricsRegistry, name: string): ControllerMetricsWithLanes {
  const perLane = ['name', 'lane'] as const;
  const depth = registry.gauge('workqueue_depth', 'Keys that wait', perLane);
  const adds = registry.counter('workqueue_adds_total', 'Keys added', perLane);
  const retries = registry.counter('workqueue_retries_total', 'Keys added again after a failure', perLane);
  const waited = registry.histogram('workqueue_queue_duration_seconds', 'Time that keys waited', perLane);
  const worked = registry.histogram('workqueue_work_duration_seconds', 'Time that work on keys took', perLane);
  const results = registry.counter('controller_reconcile_total', 'Reconciles by result', ['controller', 'result']);
  const times = registry.histogram('controller_reconcile_time_seconds', 'Time that reconciles took', ['controller']);
  const busy = registry.gauge('controller_active_workers', 'Workers that reconcile', ['controller']);
  return {
    queue: {
      depth: (lane, keys) => depth.set({ name, lane }, keys),
      added: (lane) => adds.increase({ name, lane }),
      retried: (lane) => retries.increase({ name, lane }),
      waited: (lane, ms) => waited.observe({ name, lane }, ms / 1000),
      worked: (lane, ms) => worked.observe({ name, lane }, ms / 1000),
    },
    reconciled: (result, ms) => {
      results.increase({ controller: name, result });
      times.observe({ controller: name }, ms / 1000);
    },
    busyWorkers: (count) => busy.set({ controller: name }, count),
    laneIdle: (lane) => depth.remove({ name, lane }),
    laneGone: (lane) => {
      for (const metric of [depth, adds, retries, waited, worked]) metric.remove({ name, lane });
    },
  };
}
