import { after } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { sql } from 'kysely';
import { type OpenDatabase, openMemoryPglite, openPostgres } from '../../src/database/index.ts';
import { findPostgres, startRealPostgres } from './real-postgres.ts';

export interface TestDatabase {
  readonly name: string;
  /** Why its tests are skipped, if they are. */
  readonly skip?: string;
  open(): Promise<OpenDatabase>;
}

const bin = await findPostgres();

async function startReal(): Promise<OpenDatabase> {
  const server = await startRealPostgres(bin!);
  const database = await openPostgres({ url: server.url, clock: systemClock, random: systemRandom, log: silentLogger });
  const close = async (): Promise<void> => {
    await database.close();
    await server.remove();
  };
  return { ...database, close };
}

const started: Promise<OpenDatabase>[] = [];
after(async () => {
  for (const database of started) await (await database).close();
});

/** One for all suites of a process, emptied for each: starting it is slow. */
function shared(start: () => Promise<OpenDatabase>): () => Promise<OpenDatabase> {
  let starting: Promise<OpenDatabase> | undefined;
  return async () => {
    if (!starting) started.push((starting = start()));
    const database = await starting;
    await sql`DROP SCHEMA public CASCADE`.execute(database.db);
    await sql`CREATE SCHEMA public`.execute(database.db);
    return { ...database, close: async () => {} };
  };
}

/** The databases of the suites: the embedded PostgreSQL, and a real one if available. */
export const databases: readonly TestDatabase[] = [
  { name: 'PGlite', open: shared(openMemoryPglite) },
  {
    name: 'PostgreSQL',
    open: shared(startReal),
    ...(bin === undefined ? { skip: 'PostgreSQL is not installed' } : {}),
  },
];
