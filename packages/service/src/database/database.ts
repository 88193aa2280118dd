import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** A connection or a transaction: every query takes either. */
export type Database = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** A notification: a key to reconcile, and not what has happened. */
export interface Notification {
  readonly channel: string;
  readonly payload: string;
}

/**
 * Receives notifications until it is stopped. `onGap` is called whenever some may have been missed: at the start, and after each lost
 * connection. The listener must then check everything.
 */
export type Listen = (
  channel: string,
  onNotification: (payload: string) => void,
  onGap: () => void,
) => () => Promise<void>;

/** An open database, of any kind. */
export interface OpenDatabase {
  readonly db: Database;
  /** The connections of the queries. */
  readonly pool: PostgresPool;
  readonly listen: Listen;
  /** The clock of the database, if it is not the one of its server: in a simulation. */
  readonly time?: () => Date;
  /** A short description: what it is and where. */
  readonly description: string;
  close(): Promise<void>;
}

export const databaseOver = (pool: PostgresPool): Database =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
