export interface TarInput {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** The type flag of the header; a file if not given. */
  readonly type?: string;
  readonly target?: string;
  /** The size in the header, if it is wrong. */
  readonly size?: number;
}

/** A tar archive, also hostile ones: names and sizes are written unchecked. */
export function tarOf(entries: readonly TarInput[]): Buffer {
  const blocks = entries.flatMap(({ name, content = '', type = '0', target = '', size }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write('0000644\0', 100);
    header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(target, 157, 100);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
