import { sql } from 'kysely';
import type { Database, Tx } from '../database/index.ts';

/** Operations that are due: `tenant|operation`. */
export const operationChannel = 'fairlead_operation';
/** Resources whose rows the operation controller has changed, and when: `type|id|milliseconds`. */
export const changeChannel = 'fairlead_change';

export interface OperationRef {
  readonly tenant: string;
  readonly operation: string;
}

export const formatOperation = ({ tenant, operation }: OperationRef): string => `${tenant}|${operation}`;

export function parseOperation(payload: string): OperationRef {
  const [tenant = '', operation = ''] = payload.split('|');
  return { tenant, operation };
}

export interface ChangeRef {
  /** A `ResourceTypeName`, or `ApplicationState`. */
  readonly type: string;
  readonly id: string;
  /** The time in the row: a poll that finds the same time has nothing new. */
  readonly at: number;
}

export function parseChange(payload: string): ChangeRef {
  const [type = '', id = '', at = ''] = payload.split('|');
  return { type, id, at: Number(at) };
}

export const formatChange = ({ type, id, at }: ChangeRef): string => `${type}|${id}|${at}`;

/** The notifications to send when a transaction ends. */
const pending = new WeakMap<Tx, Set<string>>();

/**
 * Runs a transaction, and sends notifications of the Operations that it requested. They are sent after it, and not within: PostgreSQL
 * commits transactions with notifications one at a time, and each would wait for the disk separately.
 */
export async function changing<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T> {
  const notifications = new Set<string>();
  try {
    return await db.transaction().execute((tx) => {
      pending.set(tx, notifications);
      return run(tx);
    });
  } finally {
    // Also after a failure: perhaps only the response to the commit was lost, and an unnecessary notification is harmless.
    await notify(db, operationChannel, [...notifications]);
  }
}

/** Sends a notification of an Operation when the transaction ends. */
export function notifyLater(tx: Tx, operation: OperationRef): void {
  const notifications = pending.get(tx);
  if (!notifications)
    throw new Error('an Operation is requested in a transaction without notifications: use changing()');
  notifications.add(formatOperation(operation));
}

/** Sends notifications. The poll makes up for one that is lost with the process or the connection. */
export async function notify(db: Database, channel: string, payloads: readonly string[]): Promise<void> {
  if (payloads.length === 0) return;
  await sql`
    SELECT pg_notify(${channel}, payload), ${notWaitingForDisk} FROM jsonb_array_elements_text(${JSON.stringify(payloads)}::jsonb) AS payload`
    .execute(db)
    .catch(() => {});
}

/**
 * Selected by a statement whose transaction does not wait for the disk: for what is merely repeated if the database crashes and
 * loses it.
 */
export const notWaitingForDisk = sql`set_config('synchronous_commit', 'off', true)`;
