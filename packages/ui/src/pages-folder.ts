import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@fairlead/apimachinery/primitives';

const folder = new URL('../dist', import.meta.url).pathname;

/**
 * The folder with the built web application. Builds it if it is missing; undefined if it is missing and the tools that build it are
 * not installed.
 */
export async function pagesFolder(report: (line: string) => void = () => {}): Promise<string | undefined> {
  if (existsSync(join(folder, 'index.html'))) return folder;
  const started = performance.now();
  try {
    const { buildPages } = await import('../scripts/build-pages.ts');
    await buildPages(folder);
  } catch (error) {
    const isInstalled = Reflect.get(Object(error), 'code') !== 'ERR_MODULE_NOT_FOUND';
    if (!isInstalled)
      report('web application: not built, so only the API is served. Run `npm ci && npm run build:ui`.');
    else report(`web application: the build failed, so only the API is served: ${messageOf(error)}`);
    return undefined;
  }
  report(`web application built in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  return folder;
}
