/** `npm run build:ui`: builds the web application, and fails if the JavaScript of the first page is too large. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildPages } from './build-pages.ts';
import { initialScripts, maxInitialBytes } from './initial-size.ts';

const folder = new URL('../dist', import.meta.url).pathname;
const started = performance.now();
await buildPages(folder);
const scripts = initialScripts(folder);
const bytes = scripts.reduce((sum, { compressed }) => sum + compressed, 0);
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const total = all.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
console.log(`built in ${((performance.now() - started) / 1_000).toFixed(1)} s: ${all.length} files, ${kb(total)}`);
console.log(`initial JavaScript ${kb(bytes)} compressed (at most ${kb(maxInitialBytes)})`);
if (bytes > maxInitialBytes) process.exitCode = 1;

function kb(size: number): string {
  return `${(size / 1024).toFixed(0)} KB`;
}
