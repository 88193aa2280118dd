import { isObject, listAt, parseTime, textAt } from '@fairlead/apimachinery';
import type { Lease } from '../leader-election/lease.ts';

/** On the Lease that a role renews while it runs: the name of the role. */
export const roleLabel = 'fairlead.dev/role';
/** On the same Lease: queues, version and problem of the role, as JSON. */
export const roleStatusAnnotation = 'fairlead.dev/role-status';

/** How often a role reports. */
export const roleReportMs = 10_000;
/** A role that has not reported for this long no longer runs. */
export const roleExpiryMs = 30_000;

export interface QueueStatus {
  readonly name: string;
  readonly depth: number;
  readonly oldestSeconds?: number;
}

/** What a process reports of one of its roles. */
export interface RoleStatus {
  readonly role: string;
  /** The process. */
  readonly instance: string;
  readonly version?: string;
  readonly queues: readonly QueueStatus[];
  /** What keeps it from working, in one sentence. */
  readonly problem?: string;
  /** In milliseconds. */
  readonly reportedAt: number;
}

/** Undefined if the Lease is not that of a role. */
export function readRoleStatus(lease: Lease): RoleStatus | undefined {
  const role = lease.metadata.labels?.[roleLabel];
  const reportedAt = parseTime(lease.spec?.renewTime ?? '');
  if (role === undefined || reportedAt === undefined) return undefined;
  const reported = parsed(lease.metadata.annotations?.[roleStatusAnnotation] ?? '');
  const [version, problem] = [textAt(reported, 'version'), textAt(reported, 'problem')];
  return {
    role,
    instance: lease.spec?.holderIdentity ?? '',
    ...(version === '' ? {} : { version }),
    queues: listAt(reported, 'queues').flatMap((one) => readQueue(one)),
    ...(problem === '' ? {} : { problem }),
    reportedAt,
  };
}

function readQueue(value: unknown): QueueStatus[] {
  if (!isObject(value)) return [];
  const { depth, oldestSeconds } = value;
  if (typeof depth !== 'number') return [];
  const age = typeof oldestSeconds === 'number' ? { oldestSeconds } : {};
  return [{ name: textAt(value, 'name'), depth, ...age }];
}

/** Anybody may have written the annotation. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export const isRunning = ({ reportedAt }: RoleStatus, now: number): boolean => now - reportedAt < roleExpiryMs;
