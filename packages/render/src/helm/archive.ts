import { gunzipSync } from 'node:zlib';
import { RenderError } from '../render-error.ts';
import { cleanPath } from '../sprig/paths.ts';

/** As Helm has them. */
const maxChartSize = 100 * 1024 * 1024;
export const maxFileSize = 5 * 1024 * 1024;
const blockSize = 512;

/** The files of a packed chart, without the folder that they are in. Links and paths that lead elsewhere are refused. */
export function readChartArchive(name: string, archive: Uint8Array, maxSize = maxChartSize): Map<string, Uint8Array> {
  const refuse = (why: string): never => {
    throw new RenderError('InvalidChart', `${name}: ${why}`);
  };
  const files = new Map<string, Uint8Array>();
  for (const entry of tarEntries(unzipped(archive, maxSize, refuse), refuse)) {
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
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return refuse(`decompressed chart is larger than the maximum size ${maxSize}`);
    return refuse('not a gzipped archive');
  }
}

interface TarEntry {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The plain files of a tar archive: ustar, with the long names of PAX and GNU. */
function* tarEntries(tar: Buffer, refuse: (why: string) => never): Generator<TarEntry> {
  let longName: string | undefined;
  for (let at = 0; at + blockSize <= tar.length; ) {
    const header = tar.subarray(at, at + blockSize);
    if (header[0] === 0) break;
    const size = Number.parseInt(text(header, 124, 12).trim() || '0', 8);
    const end = at + blockSize + size;
    if (!Number.isInteger(size) || size < 0 || end > tar.length) return refuse('the archive is cut off or damaged');
    const content = tar.subarray(at + blockSize, end);
    const type = String.fromCharCode(header[156]!);
    const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : '';
    const short = prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
    at += blockSize + Math.ceil(size / blockSize) * blockSize;
    if (type === 'x') longName = paxPath(content.toString('utf8')) ?? longName;
    else if (type === 'L') longName = content.toString('utf8').replace(/\0.*$/s, '');
    else {
      if (type === '0' || type === '\0' || type === '7') yield { name: longName ?? short, content };
      longName = undefined;
    }
  }
}

const text = (block: Buffer, start: number, length: number): string =>
  block
    .subarray(start, start + length)
    .toString('utf8')
    .replace(/\0.*$/s, '');

const paxPath = (records: string): string | undefined => /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1];
