import { sumOf } from './tar-header.ts';

const blockBytes = 512;

/** One file of a tar archive, with its header and padding. A name longer than 100 bytes is preceded by a PAX header. */
export function tarEntry(path: string, content: Uint8Array): Buffer {
  const name = Buffer.from(path);
  const long = name.length > 100 ? [entry('pax', 'x', paxRecord('path', path))] : [];
  return Buffer.concat([...long, entry(name.subarray(0, 100).toString('latin1'), '0', content)]);
}

/** The end of an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes);

function entry(name: string, type: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, 100, 'latin1');
  header.write('0000644\0', 100);
  header.write('0000000\0'.repeat(2), 108);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(type, 156);
  header.write('ustar\u000000', 257);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
  return Buffer.concat([header, content, padding]);
}

/** `LENGTH key=value`, where the length includes itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let length = rest.length;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}
