import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SourceError } from '../source-error.ts';
import type { HttpAnswer } from './http-session.ts';
import { shownUrl } from './shown-url.ts';

/** The whole body, up to a limit. */
export async function readBody(answer: HttpAnswer, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(answer.url, maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw cutShort(answer.url, error);
  }
  return Buffer.concat(chunks);
}

/** Writes the body to a new file, and returns its SHA-256. */
export async function saveBody(
  answer: HttpAnswer,
  file: string,
  maxBytes: number,
): Promise<{ sha256: string; bytes: number }> {
  const digest = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      digest.update(chunk);
      done(bytes > maxBytes ? tooLarge(answer.url, maxBytes) : null, chunk);
    },
  });
  try {
    await pipeline(Readable.from(answer.body), measure, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    throw cutShort(answer.url, error);
  }
  return { sha256: digest.digest('hex'), bytes };
}

const tooLarge = (url: string, maxBytes: number): SourceError =>
  new SourceError('TooLarge', `${shownUrl(url)} has more than ${maxBytes} bytes`);

const cutShort = (url: string, error: unknown): unknown =>
  error instanceof SourceError
    ? error
    : new SourceError(
        'RepositoryUnavailable',
        `${shownUrl(url)}: the response was interrupted (${error instanceof Error ? error.message : error})`,
      );
