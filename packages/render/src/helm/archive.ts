import { gunzipSync } from 'node:zlib';
import { RenderError } from '../render-error.ts';
import { cleanPath } from '../sprig/paths.ts';
import { readTar, type TarEntry, TarError } from '../tar/index.ts';

/** Helm's limits. */
const maxChartSize = 100 * 1024 * 1024;
export const maxFileSize = 5 * 1024 * 1024;

/** The files of a packed chart, without their top folder. Links are skipped; paths that lead elsewhere are errors. */
export function readChartArchive(name: string, archive: Uint8Array, maxSize = maxChartSize): Map<string, Uint8Array> {
  const refuse = (why: string): never => {
    throw new RenderError('InvalidChart', `${name}: ${why}`);
  };
  const files = new Map<string, Uint8Array>();
  for (const entry of entriesOf(unzipped(archive, maxSize, refuse), refuse)) {
    if (entry.type !== 'file') continue;
    const [top = '', ...rest] = entry.name.replaceAll('\\', '/').split('/');
    if (top === 'Chart.yaml' && rest.length === 0) refuse('chart yaml not in base directory');
    const path = rest.join('/');
    if (path.startsWith('/')) refuse('chart illegally contains absolute paths');
    const clean = cleanPath(path);
    if (clean === '.')
      refuse(`chart illegally contains content outside the base directory: ${JSON.stringify(entry.name)}`);
    if (clean.startsWith('..')) refuse('chart illegally references parent directory');
    if (/^[A-Za-z]:/.test(clean)) refuse('chart contains illegally named files');
    if (entry.content.length > maxFileSize)
      refuse(
        `decompressed chart file ${JSON.stringify(entry.name)} is larger than the maximum file size ${maxFileSize}`,
      );
    files.set(clean, withoutByteOrderMark(entry.content));
  }
  return files.size === 0 ? refuse('no files in chart archive') : files;
}

export const withoutByteOrderMark = (content: Uint8Array): Uint8Array =>
  content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf ? content.subarray(3) : content;

function unzipped(archive: Uint8Array, maxSize: number, refuse: (why: string) => never): Buffer {
  try {
    return gunzipSync(archive, { maxOutputLength: maxSize });
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      return refuse(`decompressed chart is larger than the maximum size ${maxSize}`);
    return refuse('not a gzipped archive');
  }
}

function* entriesOf(tar: Buffer, refuse: (why: string) => never): Generator<TarEntry> {
  try {
    yield* readTar(tar);
  } catch (error) {
    if (error instanceof TarError) refuse(error.message);
    throw error;
  }
}
