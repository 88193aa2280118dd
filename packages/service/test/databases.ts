import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
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

/** What the suites run on: the embedded PostgreSQL, and a real one where there is one. */
export const databases: readonly TestDatabase[] = [
  { name: 'PGlite', open: () => openMemoryPglite() },
  { name: 'PostgreSQL', open: openReal, ...(bin === undefined ? { skip: 'PostgreSQL is not installed' } : {}) },
];
