import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { viteConfig } from './vite-config.ts';

/** Files below this size are sent as they are. */
const compressFrom = 1_400;

/** Builds the web application into a folder, with a compressed copy beside each file that is worth it. */
export async function buildPages(folder: string): Promise<void> {
  // Several processes may start at once: each builds its own folder, and the last one that is complete stays.
  const own = `${folder}.${process.pid}`;
  await build(viteConfig(own));
  for (const file of readdirSync(own, { recursive: true, encoding: 'utf8' })) {
    if (/\.(?:js|css|svg|json)$/u.test(file)) compress(join(own, file));
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(own, folder);
}

function compress(path: string): void {
  const content = readFileSync(path);
  if (content.length < compressFrom) return;
  // The highest quality takes ten times as long and saves 3 %: too slow for the first start.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
