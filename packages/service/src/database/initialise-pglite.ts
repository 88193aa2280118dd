import { PGlite } from '@electric-sql/pglite';
import { postgresqlconf } from './pglite-settings.ts';

const [, , dataDir] = process.argv;
if (dataDir === undefined) throw new Error('give the folder of the database');
const pglite = await PGlite.create({ dataDir, postgresqlconf });
await pglite.close();
process.disconnect?.();
