import { hostname } from 'node:os';
import { systemClock, systemRandom } from '@fairlead/kube';
import { createPrepull, type PullLimits } from '@fairlead/prepull';
import { roleLeases } from './leases.ts';
import type { Role } from './role.ts';

export interface PrepullOptions {
  readonly limits?: PullLimits;
  /** The namespace of pull Jobs; that of each PrePullImage if absent. */
  readonly jobNamespace?: string;
}

/** The controllers of PrePullPolicy and PrePullImage. The gates that wait for them belong to `controller` and `images`. */
export const prepullRole: Role<PrepullOptions> = {
  id: 'prepull',
  name: 'pre-pull controller',
  lease: roleLeases.prepull,
  async start({ limits, jobNamespace }, { client, registry, log }, signal) {
    const prepull = createPrepull({
      client,
      registry,
      ...(limits ? { limits } : {}),
      ...(jobNamespace === undefined ? {} : { jobNamespace }),
      instance: `${hostname()}-${process.pid}`,
      // The signal aborts as soon as the Lease is lost.
      isLeader: () => !signal.aborted,
      clock: systemClock,
      random: systemRandom,
      log,
    });
    return { stopped: prepull.run(signal) };
  },
};
