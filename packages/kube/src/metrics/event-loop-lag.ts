import { monitorEventLoopDelay } from 'node:perf_hooks';
import { limits } from '../limits/limit-table.ts';
import { defineMetrics } from './definitions.ts';
import type { MetricsRegistry } from './metrics.ts';
import type { HealthCheck } from './status-server.ts';

/** Names that dashboards for Node.js use. */
export const processMetricDefinitions = defineMetrics({
  lagMax: {
    name: 'nodejs_eventloop_lag_max_seconds',
    type: 'gauge',
    help: 'Longest delay of the event loop in the past 30 s',
  },
});

const resolutionMs = 20;
/** Two windows: the previous, complete one and the current one. */
const windowMs = 15_000;

export interface EventLoopMonitor {
  /** The longest delay in the past 15 to 30 s, in ms. */
  readonly maxMs: () => number;
  readonly check: HealthCheck;
  /** Publishes the delay with the metrics of the process. */
  publish(registry: MetricsRegistry): void;
}

let monitor: EventLoopMonitor | undefined;

/** The event loop of this process, measured from the first call. */
export function eventLoopMonitor(): EventLoopMonitor {
  return (monitor ??= startMonitor());
}

function startMonitor(): EventLoopMonitor {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let before = 0;
  let since = performance.now();
  /** The histogram contains the time between two ticks: for an idle loop that is the resolution itself. */
  const current = (): number => Math.max(0, histogram.max / 1e6 - resolutionMs);
  const rotate = (): void => {
    const age = performance.now() - since;
    if (age < windowMs) return;
    before = age < 2 * windowMs ? current() : 0;
    since = performance.now();
    histogram.reset();
  };
  setInterval(rotate, windowMs).unref();
  const maxMs = (): number => Math.max(before, current());
  return {
    maxMs,
    check: () => lagProblem(maxMs()),
    publish(registry) {
      const { lagMax } = registry.create(processMetricDefinitions);
      registry.onRead(() => lagMax.set({}, maxMs() / 1000));
    },
  };
}

export function lagProblem(lagMs: number): string | undefined {
  if (lagMs <= limits.eventLoopLagMs) return undefined;
  return `the event loop was blocked for ${Math.round(lagMs)} ms, more than ${limits.eventLoopLagMs} ms`;
}
