import { type ApiClient, LeaderElector, type Logger } from '@fairlead/kube';

export interface HoldLeasesOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly leases: readonly string[];
  readonly identity: string;
  readonly log: Logger;
  /** Called with a Lease that another process holds. */
  readonly onWait: (lease: string, holder: string) => void;
}

/**
 * Longer than those of a role: a laptop that starts everything at once may be blocked for seconds, and the next `up` on the same data folder is the same
 * holder, which does not wait.
 */
const durations = { leaseMs: 40_000, renewDeadlineMs: 30_000 } as const;

/**
 * Calls `work` while this process holds all of the Leases, again and again until the signal aborts. If one is lost, the signal of `work` aborts; this
 * process then waits until it holds all of them again.
 */
export async function whileHoldingLeases(
  options: HoldLeasesOptions,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { client, namespace, leases, identity, log, onWait } = options;
  const lead = leases.reduceRight<(signal: AbortSignal) => Promise<void>>((inner, name) => {
    const elector = new LeaderElector(client, {
      lease: { namespace, name },
      identity,
      log,
      ...durations,
      onLeader: (holder) => {
        if (holder !== identity && holder !== '') onWait(name, holder);
      },
    });
    return async (term) => void (await elector.run(term, inner));
  }, work);
  while (!signal.aborted) await lead(signal);
}
