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
  cpuSeconds: {
    name: 'process_cpu_seconds_total',
    type: 'gauge',
    help: 'Processor time of the process, user and system',
  },
  residentBytes: { name: 'process_resident_memory_bytes', type: 'gauge', help: 'Resident memory of the process' },
  startSeconds: {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'When the process started, in seconds since 1970',
  },
  heapUsedBytes: { name: 'nodejs_heap_size_used_bytes', type: 'gauge', help: 'Used part of the JavaScript heap' },
  heapTotalBytes: { name: 'nodejs_heap_size_total_bytes', type: 'gauge', help: 'Size of the JavaScript heap' },
});

const resolutionMs = 20;
/** Two windows: the previous, complete one and the current one. */
const windowMs = 15_000;

export interface EventLoopMonitor {
  /** The longest delay in the past 15 to 30 s, in ms. */
  readonly maxMs: () => number;
  readonly check: HealthCheck;
  /** Publishes the delay, and processor time and memory of the process. */
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
      const metrics = registry.create(processMetricDefinitions);
      registry.onRead(() => {
        metrics.lagMax.set({}, maxMs() / 1000);
        const { user, system } = process.cpuUsage();
        metrics.cpuSeconds.set({}, (user + system) / 1e6);
        const { rss, heapUsed, heapTotal } = process.memoryUsage();
        metrics.residentBytes.set({}, rss);
        metrics.startSeconds.set({}, Math.round(performance.timeOrigin / 1000));
        metrics.heapUsedBytes.set({}, heapUsed);
        metrics.heapTotalBytes.set({}, heapTotal);
      });
    },
  };
}

export function lagProblem(lagMs: number): string | undefined {
  if (lagMs <= limits.eventLoopLagMs) return undefined;
  return `the event loop was blocked for ${Math.round(lagMs)} ms, more than ${limits.eventLoopLagMs} ms`;
}
