/** What simulations and tests need to run the service on another database. */
export { databaseOver, type Listen, type OpenDatabase } from './database/database.ts';
export { memoryPglite } from './database/memory-pglite.ts';
export { migrate } from './database/migrate.ts';
export { type PgliteConnection, pglitePool } from './database/pglite-pool.ts';
