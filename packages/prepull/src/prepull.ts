import {
  type ApiClient,
  type Clock,
  controllerMetrics,
  EventRecorder,
  InformerFactory,
  type Logger,
  type MetricsRegistry,
  type Random,
  type Runnable,
  withoutManagedFields,
} from '@fairlead/kube';
import { ImageController } from './image/image-controller.ts';
import { type PrepullMetrics, prepullMetrics } from './metrics.ts';
import { WorkloadController } from './policy/workload-controller.ts';
import type { PullLimits } from './pull/pull-limits.ts';

export interface PrepullOptions {
  readonly client: ApiClient;
  readonly limits?: PullLimits;
  /** The namespace of all pull Jobs; by default, that of each PrePullImage. */
  readonly jobNamespace?: string;
  readonly registry: MetricsRegistry;
  /** Whether this process is still the leader; always true if there is no leader election. */
  readonly isLeader?: () => boolean;
  /** The name of this process in events. */
  readonly instance?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Kwarm's defaults. */
export const defaultLimits: PullLimits = { cluster: 10, node: 2 };

export interface Prepull extends Runnable {
  readonly images: ImageController;
  readonly metrics: PrepullMetrics;
}

/** The pre-pull controllers. They must run in one process at a time: use leader election with several replicas. */
export function createPrepull(options: PrepullOptions): Prepull {
  const { client, clock, random, log, registry } = options;
  const informers = new InformerFactory(client, { clock, random, log, transform: withoutManagedFields });
  const metrics = prepullMetrics(registry);
  const events = new EventRecorder(client, {
    controller: 'fairlead.dev/prepull',
    instance: options.instance ?? 'fairlead',
    clock,
    log,
  });
  const shared = { client, informers, metrics, events, clock, log };
  const images = new ImageController({
    ...shared,
    limits: options.limits ?? defaultLimits,
    ...(options.jobNamespace === undefined ? {} : { jobNamespace: options.jobNamespace }),
    ...(options.isLeader ? { isLeader: options.isLeader } : {}),
    controllerMetrics: controllerMetrics(registry, 'prepull-images'),
  });
  const workloads = new WorkloadController({
    ...shared,
    controllerMetrics: (name) => controllerMetrics(registry, name),
  });
  return {
    name: 'prepull',
    images,
    metrics,
    async run(signal) {
      informers.start(signal);
      await Promise.all([images.run(signal), workloads.run(signal)]);
      await informers.stopped();
    },
  };
}
