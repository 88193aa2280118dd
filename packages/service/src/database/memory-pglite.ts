import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { postgresqlconf } from './pglite-settings.ts';

/** Caches a new, empty cluster for the next time: creating one takes four times as long as unpacking it. */
function cacheFile(): string {
  const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
  const root = entry.slice(0, entry.lastIndexOf('node_modules'));
  return join(root, 'node_modules', '.cache', 'fairlead', 'pglite.tar.gz');
}

/** PostgreSQL in memory, for tests. */
export async function memoryPglite(): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  const cached = readCache();
  if (cached) {
    try {
      return await PGlite.create({ postgresqlconf, loadDataDir: new Blob([cached]) });
    } catch {
      // Of another version, or broken: created again below.
    }
  }
  const pglite = await PGlite.create({ postgresqlconf });
  await writeCache(pglite).catch(() => {});
  return pglite;
}

function readCache(): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(readFileSync(cacheFile()));
  } catch {
    return undefined;
  }
}

async function writeCache(pglite: PGlite): Promise<void> {
  const file = cacheFile();
  mkdirSync(dirname(file), { recursive: true });
  const dump = await pglite.dumpDataDir('gzip');
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()));
  renameSync(unfinished, file);
}
