import { sql } from 'kysely';
import type { Database, ResourceTypeName, Tx } from '../database/index.ts';

/** Rows of Operation that the instance should look at: `tenant|operation`. */
export const operationChannel = 'fairlead_operation';
/** Resources whose rows the instance has changed, and when: `type|id|milliseconds`. */
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
  readonly type: ResourceTypeName | 'ApplicationState';
  readonly id: string;
  /** The moment that the row itself carries: a poll that finds the same has nothing new to tell. */
  readonly at: number;
}

export function parseChange(payload: string): ChangeRef {
  const [type = '', id = '', at = ''] = payload.split('|');
  return { type: type as ChangeRef['type'], id, at: Number(at) };
}

export const formatChange = ({ type, id, at }: ChangeRef): string => `${type}|${id}|${at}`;

/** What a transaction will tell of when it is over. */
const pending = new WeakMap<Tx, Set<string>>();

/**
 * A transaction, and notices of the Operations that it asked for. They are sent once it is over and not within it: of all transactions
 * with notices PostgreSQL writes one at a time to disk, and each would wait for the disk on its own.
 */
export async function changing<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T> {
  const notices = new Set<string>();
  try {
    return await db.transaction().execute((tx) => {
      pending.set(tx, notices);
      return run(tx);
    });
  } finally {
    // Also after a failure: it may be that only the answer to the commit was lost, and a notice of nothing does no harm.
    await notify(db, operationChannel, [...notices]);
  }
}

/** Tells of an Operation when the transaction is over. */
export function notifyLater(tx: Tx, operation: OperationRef): void {
  const notices = pending.get(tx);
  if (!notices) throw new Error('an Operation is asked for in a transaction that tells nobody: use changing()');
  notices.add(formatOperation(operation));
}

/** Sends notices. One that is lost, with the process or with the connection, is made up for by the poll. */
export async function notify(db: Database, channel: string, payloads: readonly string[]): Promise<void> {
  if (payloads.length === 0) return;
  await sql`
    SELECT pg_notify(${channel}, payload), ${notWaitingForDisk} FROM jsonb_array_elements_text(${JSON.stringify(payloads)}::jsonb) AS payload`
    .execute(db)
    .catch(() => {});
}

/**
 * Among what a statement returns: its transaction does not wait until it is on disk. For what may be forgotten when the database crashes,
 * as it is merely done again then.
 */
export const notWaitingForDisk = sql`set_config('synchronous_commit', 'off', true)`;
