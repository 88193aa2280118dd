import { type Clock, type Logger, type Random, sleep } from '@fairlead/kube';
import type { Client, ClientConfig, Pool } from 'pg';
import { databaseOver, type Listen, type OpenDatabase } from './database.ts';
import { preparedPool } from './prepared-pool.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly connections?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** The time limit of a statement: a database that hangs is a failure like any other. */
const statementMs = 15_000;
const connectMs = 5_000;
const int8 = 20;

/** PostgreSQL over the network. It may be unavailable at any time, even now: queries fail then, and work again later. */
export async function openPostgres(options: PostgresOptions): Promise<OpenDatabase> {
  const { default: pg } = await import('pg');
  // Generations come from a sequence: far below what a number holds exactly.
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  } as ClientConfig['types'];
  const shared = { connectionString: options.url, connectionTimeoutMillis: connectMs, keepAlive: true, types };
  const pool: Pool = new pg.Pool({
    ...shared,
    max: options.connections ?? 10,
    query_timeout: statementMs,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
  } as never);
  // A broken idle connection is replaced when it is next needed.
  pool.on('error', (error) => options.log.debug('a connection to the database was lost', { error }));
  // A connection that breaks in use fails its query; without a listener its error event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const prepared = preparedPool(pool);
  const listen = listener(() => new pg.Client(shared as never), options);
  const { host, pathname } = new URL(options.url);
  return {
    db: databaseOver(prepared),
    pool: prepared,
    listen,
    description: `PostgreSQL ${host}${pathname}`,
    close: () => pool.end(),
  };
}

/** A separate connection for notifications, which is opened again whenever it is lost. */
function listener(connect: () => Client, { clock, random, log }: PostgresOptions): Listen {
  return (channel, onNotification, onGap) => {
    const stopped = new AbortController();
    /** Only an open connection can be ended: the driver never responds to one that is ended while it connects. */
    let connected: Client | undefined;
    const follow = async (): Promise<void> => {
      for (let failures = 0; !stopped.signal.aborted; ) {
        const client = connect();
        const ended = new Promise<void>((resolve) => {
          client.on('end', resolve);
          client.on('error', () => resolve());
        });
        try {
          await client.connect();
          connected = client;
          if (stopped.signal.aborted) return;
          client.on('notification', ({ payload = '' }) => onNotification(payload));
          await client.query(`LISTEN ${channel}`);
          failures = 0;
          onGap();
          await ended;
        } catch (error) {
          log.debug('no connection for notifications', { channel, error });
        } finally {
          connected = undefined;
          await client.end().catch(() => {});
        }
        failures += 1;
        const waitMs = Math.min(5_000, 100 * 2 ** Math.min(failures, 10)) * (1 + random());
        await sleep(clock, waitMs, stopped.signal).catch(() => {});
      }
    };
    const following = follow();
    return async () => {
      stopped.abort();
      await connected?.end().catch(() => {});
      await following;
    };
  };
}
