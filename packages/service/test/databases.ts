import { after } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { sql } from 'kysely';
import { type OpenDatabase, openMemoryPglite, openPostgres } from '../src/database/index.ts';
import { findPostgres, startRealPostgres } from './real-postgres.ts';

export interface TestDatabase {
  readonly name: string;
  /** Why its tests are skipped, when they are. */
  readonly skip?: string;
  open(): Promise<OpenDatabase>;
}

const bin = await findPostgres();

/** A real PostgreSQL for as long as it is open. */
async function openReal(): Promise<OpenDatabase> {
  const server = await startRealPostgres(bin!);
  const database = await openPostgres({ url: server.url, clock: systemClock, random: systemRandom, log: silentLogger });
  const close = async (): Promise<void> => {
    await database.close();
    await server.remove();
  };
  return { ...database, close };
}

let shared: Promise<OpenDatabase> | undefined;

/** One for all suites of a process, emptied for each: starting it is what takes time. */
async function openShared(): Promise<OpenDatabase> {
  shared ??= openMemoryPglite();
  const database = await shared;
  await sql`DROP SCHEMA public CASCADE`.execute(database.db);
  await sql`CREATE SCHEMA public`.execute(database.db);
  return { ...database, close: async () => {} };
}

after(async () => (await shared)?.close());

/** What the suites run on: the embedded PostgreSQL, and a real one where there is one. */
export const databases: readonly TestDatabase[] = [
  { name: 'PGlite', open: openShared },
  { name: 'PostgreSQL', open: openReal, ...(bin === undefined ? { skip: 'PostgreSQL is not installed' } : {}) },
];
