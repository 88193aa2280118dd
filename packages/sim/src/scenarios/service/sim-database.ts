import {
  databaseOver,
  type Listen,
  memoryPglite,
  migrate,
  type OpenDatabase,
  type PgliteConnection,
  pglitePool,
} from '@fairlead/service/testing';
import { sql } from 'kysely';
import type { SimProcess } from '../../sim-process.ts';
import type { Simulation } from '../../simulation.ts';

export interface DatabaseFaults {
  /** A statement never arrives, and the connection is lost. */
  readonly requestLost: number;
  /** A statement is executed and the connection is lost before its response: also for a COMMIT. */
  readonly answerLost: number;
  readonly notificationLost: number;
}

export const noDatabaseFaults: DatabaseFaults = { requestLost: 0, answerLost: 0, notificationLost: 0 };

/** A bug in a statement: another text, or none, which returns no rows. */
export type Misquote = (text: string) => string | undefined;

/** Called around every durable write, with its description. It may crash the writing process. */
export type AroundWrite = (process: SimProcess, what: string, when: 'before' | 'after') => void;

export interface SimDatabaseHooks {
  readonly aroundWrite?: AroundWrite;
  readonly misquote?: Misquote;
}

type Pool = ReturnType<typeof pglitePool>;
type PoolClient = Awaited<ReturnType<Pool['connect']>>;
type Result = Awaited<ReturnType<PoolClient['query']>>;

const lost = (): Error => Object.assign(new Error('the connection to the database was lost'), { code: 'ECONNRESET' });
/** The timeout of a client without a response. */
const timeoutMs = 15_000;

/**
 * One real PostgreSQL engine (PGlite in memory) behind a connection that the simulation controls: statements and responses have delays, and
 * may be lost with the connection, and the server then rolls back. SQL, constraints and transactions are real, not simulated.
 */
export class SimDatabase {
  readonly #sim: Simulation;
  readonly #pool: Pool;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  readonly #aroundWrite: AroundWrite;
  readonly #misquote: Misquote;
  faults: DatabaseFaults;
  /** While set, new connections are refused, and existing ones are lost. */
  down = false;

  private constructor(
    sim: Simulation,
    pool: Pool,
    faults: DatabaseFaults,
    { aroundWrite = () => {}, misquote = (text) => text }: SimDatabaseHooks,
  ) {
    this.#sim = sim;
    this.#pool = pool;
    this.faults = faults;
    this.#aroundWrite = aroundWrite;
    this.#misquote = misquote;
  }

  /** Empty tables, in the one engine that all schedules of this run share. */
  static async open(sim: Simulation, faults: DatabaseFaults, hooks: SimDatabaseHooks = {}): Promise<SimDatabase> {
    engine ??= startEngine();
    const { connection, receive } = await engine;
    const database = new SimDatabase(sim, pglitePool(connection), faults, hooks);
    receive((channel, payload) => database.#notify(channel, payload));
    return database;
  }

  /** The database from the view of one process. */
  for(process: SimProcess): OpenDatabase {
    const pool: Pool = { options: {}, connect: () => this.#connect(process), end: async () => {} };
    const listen: Listen = (channel, onNotification, onGap) => {
      const listeners = this.#listeners.get(channel) ?? new Set();
      this.#listeners.set(channel, listeners);
      const receive = (payload: string): void => {
        if (this.down || this.#sim.chance(this.faults.notificationLost)) return;
        process.after(this.#sim.between(0, 20), () => onNotification(payload));
      };
      listeners.add(receive);
      process.after(this.#sim.between(0, 20), onGap);
      return async () => void listeners.delete(receive);
    };
    const time = (): Date => new Date(this.#sim.clock.now());
    return { db: databaseOver(pool), pool, listen, time, description: 'simulated', close: async () => {} };
  }

  /** The database without a simulated connection. */
  get truth(): OpenDatabase['db'] {
    return databaseOver(this.#pool);
  }

  #notify(channel: string, payload: string): void {
    for (const receive of this.#listeners.get(channel) ?? []) receive(payload);
  }

  #connect(process: SimProcess): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      process.after(this.#sim.between(0, 3), () => {
        if (this.down) return void process.after(1, () => reject(lost()));
        void this.#pool.connect().then((client) => {
          if (process.crashed) client.release();
          else resolve(this.#session(process, client));
        });
      });
    });
  }

  /** One connection. When it is lost on either side, the server rolls back its transaction. */
  #session(process: SimProcess, client: PoolClient): PoolClient {
    let open = true;
    let inTransaction = false;
    let busy = false;
    const end = async (): Promise<void> => {
      if (!open) return;
      open = false;
      closed();
      if (inTransaction) await client.query('ROLLBACK', []);
      client.release();
    };
    // A running statement is completed: its result is known there.
    const closed = process.connection(() => {
      if (!busy) void end();
    });
    const query = (original: string, parameters: readonly unknown[]): Promise<Result> =>
      new Promise((resolve, reject) => {
        const text = this.#misquote(original);
        if (text === undefined) {
          const nothing = { command: 'SELECT', rowCount: 0, rows: [] } as unknown as Result;
          return void process.after(0, () => resolve(nothing));
        }
        const isDurable =
          /^\s*commit/iu.test(text) || (!inTransaction && /^\s*(insert|update|delete|with)/iu.test(text));
        const fail = (afterMs: number): void => {
          void end();
          process.after(afterMs, () => reject(lost()));
        };
        this.#sim.clock.after(this.#sim.between(0, 3), () => {
          if (!open) return fail(0);
          if (isDurable) this.#aroundWrite(process, `${text.slice(0, 60)}`, 'before');
          if (process.crashed) return void end();
          if (this.down || this.#sim.chance(this.faults.requestLost)) return fail(this.#sim.pick([0, timeoutMs]));
          busy = true;
          void client.query(text, parameters as unknown[]).then(
            (result) => {
              busy = false;
              if (/^\s*begin/iu.test(text)) inTransaction = true;
              if (/^\s*(commit|rollback)/iu.test(text)) inTransaction = false;
              if (isDurable) this.#aroundWrite(process, `${text.slice(0, 60)}`, 'after');
              if (process.crashed) return void end();
              if (this.#sim.chance(this.faults.answerLost)) return fail(this.#sim.pick([0, timeoutMs]));
              this.#sim.clock.after(this.#sim.between(0, 3), () =>
                process.after(0, () => resolve(result as unknown as Result)),
              );
            },
            (error: unknown) => {
              busy = false;
              if (process.crashed) return void end();
              process.after(0, () => reject(error));
            },
          );
        });
      });
    return { query, release: () => void end() } as unknown as PoolClient;
  }
}

interface Engine {
  readonly connection: PgliteConnection;
  /** Receives notifications from now on: the newest simulation. */
  receive(listener: (channel: string, payload: string) => void): void;
}

let engine: Promise<Engine> | undefined;

async function startEngine(): Promise<Engine> {
  const pglite = await memoryPglite();
  const database = databaseOver(pglitePool(pglite));
  await migrate(database);
  let listener: (channel: string, payload: string) => void = () => {};
  for (const channel of ['fairlead_operation', 'fairlead_change'])
    await pglite.listen(channel, (payload) => listener(channel, payload));
  return {
    connection: pglite as unknown as PgliteConnection,
    receive: (next) => {
      listener = next;
    },
  };
}

/** Stops the engine, which would keep a process alive. */
export async function closeEngine(): Promise<void> {
  const open = engine;
  engine = undefined;
  await (await open)?.connection.close();
}

/** Empties every table, for a new schedule. */
export async function emptyTables(database: SimDatabase): Promise<void> {
  const { rows } = await sql<{ tablename: string }>`
    SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'fairlead_migration'`.execute(
    database.truth,
  );
  await sql.raw(`TRUNCATE ${rows.map(({ tablename }) => tablename).join(', ')} CASCADE`).execute(database.truth);
  await sql`ALTER SEQUENCE generation_seq RESTART`.execute(database.truth);
}
