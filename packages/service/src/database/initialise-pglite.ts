import { PGlite } from '@electric-sql/pglite';
import { postgresqlconf } from './pglite-settings.ts';

const [, , dataDir] = process.argv;
if (dataDir === undefined) throw new Error('the directory of the database is required');
const pglite = await PGlite.create({ dataDir, postgresqlconf });
await pglite.close();
process.disconnect?.();
