import type { MetricsRegistry } from '../metrics/metrics.ts';
import type { ControllerMetrics } from './controller.ts';
import { metricDefinitions } from './metric-definitions.ts';

export interface ControllerMetricsWithLanes extends ControllerMetrics {
  /** For the `onIdle` of `Lanes`: an idle lane needs no depth series. Its counters are kept. */
  laneIdle(lane: string): void;
  /** The tenant is deleted: all series of its lane are removed. */
  laneGone(lane: string): void;
}

/** The metrics of one controller and its queue. */
export function controllerMetrics(registry: MetricsRegistry, name: string): ControllerMetricsWithLanes {
  const { depth, adds, retries, waitDuration, workDuration, reconciles, reconcileTime, activeWorkers } =
    registry.create(metricDefinitions);
  return {
    queue: {
      depth: (lane, keys) => depth.set({ name, lane }, keys),
      added: (lane) => adds.increase({ name, lane }),
      retried: (lane) => retries.increase({ name, lane }),
      waited: (lane, ms) => waitDuration.observe({ name, lane }, ms / 1000),
      worked: (lane, ms) => workDuration.observe({ name, lane }, ms / 1000),
    },
    reconciled: (result, ms) => {
      reconciles.increase({ controller: name, result });
      reconcileTime.observe({ controller: name }, ms / 1000);
    },
    busyWorkers: (count) => activeWorkers.set({ controller: name }, count),
    laneIdle: (lane) => depth.remove({ name, lane }),
    laneGone: (lane) => {
      for (const metric of [depth, adds, retries, waitDuration, workDuration]) metric.remove({ name, lane });
    },
  };
}
