import {
  type ApiClient,
  type Clock,
  InformerFactory,
  type Logger,
  type Random,
  silentLogger,
  withoutManagedFields,
} from '@fairlead/kube';
import { clusterControllers } from './cluster/index.ts';
import { createEventWriter } from './event-writer.ts';
import type { ControllerParts, MakeController, ServedKind } from './parts.ts';
import { workloadControllers } from './workloads/index.ts';

export interface ControllersOptions {
  client(manager: string): ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Logger;
  kinds(): readonly ServedKind[];
  onKindsChanged(listener: () => void): void;
  readonly ca: string;
  readonly autoscalerPeriodMs?: number;
  readonly issueSecretToken?: ControllerParts['issueSecretToken'];
}

const controllers: readonly MakeController[] = [...workloadControllers, ...clusterControllers];

/** Starts every built-in controller. They share one informer per kind, and stop together. */
export async function startControllers(options: ControllersOptions): Promise<{ stop(): Promise<void> }> {
  const { clock, random, log = silentLogger } = options;
  const stopping = new AbortController();
  const informers = new InformerFactory(options.client('kube-controller-manager'), {
    clock,
    random,
    log,
    transform: withoutManagedFields,
  });
  const parts: ControllerParts = {
    client: options.client,
    informers,
    clock,
    random,
    log,
    events: (component) => createEventWriter(options.client(component), clock, log, { component }),
    kinds: options.kinds,
    onKindsChanged: options.onKindsChanged,
    ca: options.ca,
    ...(options.issueSecretToken ? { issueSecretToken: options.issueSecretToken } : {}),
    ...(options.autoscalerPeriodMs ? { autoscalerPeriodMs: options.autoscalerPeriodMs } : {}),
  };
  const runnables = controllers.flatMap((make) => make(parts));
  informers.start(stopping.signal);
  const running = Promise.all(runnables.map((runnable) => runnable.run(stopping.signal)));
  await informers.waitForSync(stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await Promise.all([running, informers.stopped()]);
    },
  };
}
