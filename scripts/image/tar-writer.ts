/** One entry of an archive to write. Owners and times are fixed, so that equal trees give equal bytes. */
export type ArchiveEntry =
  | { readonly type: 'directory'; readonly path: string; readonly mode?: number; readonly owner?: number }
  | { readonly type: 'symlink'; readonly path: string; readonly target: string }
  | { readonly type: 'file'; readonly path: string; readonly mode?: number; readonly content: Buffer };

const blockSize = 512;
const typeFlags = { file: '0', symlink: '2', directory: '5' } as const;

/** Writes an archive in the order of the entries: ustar, with pax headers for long names. */
export function writeTar(entries: Iterable<ArchiveEntry>): Buffer {
  const blocks: Buffer[] = [];
  for (const entry of entries) {
    const path = entry.type === 'directory' ? `${entry.path}/` : entry.path;
    const target = entry.type === 'symlink' ? entry.target : '';
    const long = [...paxRecord('path', path), ...paxRecord('linkpath', target)];
    if (long.length > 0) {
      const records = Buffer.from(long.join(''));
      blocks.push(header({ name: 'PaxHeader', flag: 'x', mode: 0o644, size: records.length }), padded(records));
    }
    const content = entry.type === 'file' ? entry.content : Buffer.alloc(0);
    blocks.push(
      header({
        name: path,
        target,
        flag: typeFlags[entry.type],
        mode: entry.type === 'symlink' ? 0o777 : (entry.mode ?? (entry.type === 'directory' ? 0o755 : 0o644)),
        size: content.length,
        owner: entry.type === 'directory' ? entry.owner : 0,
      }),
      padded(content),
    );
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]);
}

interface Header {
  readonly name: string;
  readonly target?: string;
  readonly flag: string;
  readonly mode: number;
  readonly size: number;
  readonly owner?: number | undefined;
}

function header({ name, target = '', flag, mode, size, owner = 0 }: Header): Buffer {
  const bytes = Buffer.alloc(blockSize);
  const octal = (value: number, at: number, length: number): void => {
    bytes.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  };
  bytes.write(name, 0, 100, 'utf8');
  octal(mode, 100, 8);
  octal(owner, 108, 8);
  octal(owner, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  bytes.write('        ', 148, 'latin1');
  bytes.write(flag, 156, 'latin1');
  bytes.write(target, 157, 100, 'utf8');
  bytes.write('ustar\0' + '00', 257, 'latin1');
  bytes.write(
    `${bytes
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
    'latin1',
  );
  return bytes;
}

/** A record with its own length in front, if the value does not fit into the header. */
function paxRecord(key: string, value: string): string[] {
  if (Buffer.byteLength(value) <= 100) return [];
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length += 1;
  return [`${length} ${key}=${value}\n`];
}

function padded(content: Buffer): Buffer {
  const over = content.length % blockSize;
  return over === 0 ? content : Buffer.concat([content, Buffer.alloc(blockSize - over)]);
}
