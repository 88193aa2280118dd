import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Of all scripts that the first page needs, compressed by gzip. */
export const maxInitialBytes = 250 * 1024;

/** The scripts that index.html loads or preloads. */
export function initialScripts(folder: string): { readonly file: string; readonly compressed: number }[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/gu)].map(([, file = '']) => file);
  return [...new Set(files)].map((file) => {
    const [plain, zipped] = [join(folder, file), join(folder, `${file}.gz`)];
    return { file, compressed: statSync(existsSync(zipped) ? zipped : plain).size };
  });
}
