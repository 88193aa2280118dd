import { createHash } from 'node:crypto';
import { find, formatMicroTime, isConflict, isNotFound, leaseType, messageOf, parseTime } from '@fairlead/apimachinery';
import type { ApiClient } from '../client/api-client.ts';
import { type Clock, sleep } from '../clock.ts';
import type { Lease } from '../leader-election/lease.ts';
import type { Logger } from '../logger.ts';
import type { RoleReport } from './role-report.ts';
import { roleExpiryMs, roleLabel, roleReportMs, roleStatusAnnotation } from './role-status.ts';

export interface PublishOptions {
  readonly client: Pick<ApiClient, 'get' | 'list' | 'create' | 'replace' | 'delete'>;
  readonly namespace: string;
  /** As its command is called: `controller`. */
  readonly role: string;
  /** Unique per process. */
  readonly instance: string;
  readonly version: string;
  readonly report: RoleReport;
  readonly clock: Clock;
  readonly log: Logger;
  /** `roleReportMs` by default. */
  readonly everyMs?: number;
}

/**
 * Reports the status of a role in a Lease until the signal aborts. The Lease is deleted when the role stops; after a crash it stays, expired, so that
 * the crash can be seen, until a process of the role starts an hour later or more.
 */
export async function publishRoleStatus(options: PublishOptions, signal: AbortSignal): Promise<void> {
  const { client, namespace, clock, log, everyMs = roleReportMs } = options;
  const key = { namespace, name: leaseNameOf(options) };
  await removeExpired(options, signal);
  let known: Lease | undefined;
  let problem = '';
  let reports = 0;
  while (!signal.aborted) {
    try {
      known = await write(options, key, known, signal);
      problem = '';
    } catch (error) {
      known = undefined;
      const message = messageOf(error);
      if (!signal.aborted && message !== problem)
        log.warn('cannot report the status of a role', { role: options.role, error });
      problem = message;
    }
    await sleep(clock, reports === 0 ? Math.min(startingMs, everyMs) : everyMs, signal).catch(() => {});
    reports += 1;
  }
  if (!known) return;
  const limit = new AbortController();
  const cancel = clock.after(deletionMs, () => limit.abort());
  // The API may be unavailable, or refuse it: the Lease expires in either case.
  await client.delete(leaseType, key, { signal: limit.signal }).catch(() => {});
  cancel();
}

/** The second report follows sooner: the parts of a role add to its report while it starts. */
const startingMs = 1_000;

/** The end of a process is not delayed by more than this. */
const deletionMs = 2_000;

/** How long the Lease of a crashed process is kept. */
const keepMs = 3_600_000;

async function removeExpired(
  { client, namespace, role, clock, log }: PublishOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    const labelSelector = `${roleLabel}=${role}`;
    const { items } = await client.list<Lease>(leaseType, { namespace, labelSelector, signal });
    const old = items.filter(({ spec }) => clock.now() - (parseTime(spec?.renewTime) ?? 0) > keepMs);
    for (const { metadata } of old) await client.delete(leaseType, { namespace, name: metadata.name }, { signal });
  } catch (error) {
    // They are only clutter, and the role may lack the right to list.
    if (!signal.aborted) log.debug('cannot remove expired reports', { role, error });
  }
}

async function write(
  options: PublishOptions,
  key: { readonly namespace: string; readonly name: string },
  known: Lease | undefined,
  signal: AbortSignal,
): Promise<Lease> {
  const { client, role, instance, version, report, clock } = options;
  const { queues, problem } = await report.read();
  const time = formatMicroTime(clock.now());
  const before = known ?? (await find(client.get<Lease>(leaseType, key, { signal })));
  const lease: Lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      ...(before?.metadata ?? key),
      labels: { ...before?.metadata.labels, [roleLabel]: role },
      annotations: {
        ...before?.metadata.annotations,
        [roleStatusAnnotation]: JSON.stringify({ version, queues, ...(problem === undefined ? {} : { problem }) }),
      },
    },
    spec: {
      ...before?.spec,
      holderIdentity: instance,
      leaseDurationSeconds: roleExpiryMs / 1_000,
      acquireTime: before?.spec?.acquireTime ?? time,
      renewTime: time,
    },
  };
  try {
    return await (before ? client.replace(leaseType, lease, { signal }) : client.create(leaseType, lease, { signal }));
  } catch (error) {
    if (known && (isConflict(error) || isNotFound(error))) return write(options, key, undefined, signal);
    throw error;
  }
}

/** Host names may be longer than what a name has room for. */
const leaseNameOf = ({ role, instance }: PublishOptions): string =>
  `fairlead-role-${role}-${createHash('sha256').update(instance).digest('hex').slice(0, 10)}`;
