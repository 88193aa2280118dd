const newline = 0x0a;

/**
 * Lines of a byte stream, without line breaks. Bytes are decoded per complete line, so a character split between two chunks is intact. A
 * stream that ends within a line was truncated: this throws, and the partial line is not returned.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      pending.push(chunk.subarray(start, end));
      const line = Buffer.concat(pending).toString('utf8');
      pending = [];
      start = end + 1;
      if (line.trim() !== '') yield line;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (Buffer.concat(pending).toString('utf8').trim() !== '') throw new Error('the stream ended within a line');
}
