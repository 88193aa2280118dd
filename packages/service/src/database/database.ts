import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** A connection or a transaction: every query takes either. */
export type Database = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** What a wake-up is about: a key to look at, never what has happened. */
export interface Notification {
  readonly channel: string;
  readonly payload: string;
}

/**
 * Hears notices until it is stopped. `onGap` is called whenever some may have been missed: at the start, and after each time that the
 * connection was lost. Whoever listens then looks at everything.
 */
export type Listen = (
  channel: string,
  onNotification: (payload: string) => void,
  onGap: () => void,
) => () => Promise<void>;

/** A database that is open, however it is run. */
export interface OpenDatabase {
  readonly db: Database;
  /** What the queries go over. */
  readonly pool: PostgresPool;
  readonly listen: Listen;
  /** One line for a person: what it is and where. */
  readonly description: string;
  close(): Promise<void>;
}

export const databaseOver = (pool: PostgresPool): Database =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
