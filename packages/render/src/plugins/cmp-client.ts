import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { WireReader, WireWriter } from '@fairlead/apimachinery';
import { formatLimit, limits, limitTable } from '@fairlead/kube/limits';
import { RenderError } from '../render-error.ts';

const service = '/plugin.ConfigManagementPluginService';

/** One call of the plugin service on a Unix socket: the requests are streamed, and there is one response. */
export async function callPlugin(
  socket: string,
  method: string,
  requests: Iterable<Buffer>,
  timeMs: number = limits.pluginMs,
): Promise<Buffer> {
  const session = connect('http://localhost', { createConnection: () => connectSocket(socket) });
  try {
    return await exchange(session, method, requests, timeMs);
  } finally {
    session.destroy();
  }
}

function exchange(
  session: ClientHttp2Session,
  method: string,
  requests: Iterable<Buffer>,
  timeMs: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(
      () => fail(`it took longer than ${formatLimit({ value: timeMs, unit: 'ms' })}`, 'LimitExceeded'),
      timeMs,
    );
    const fail = (why: string, reason: 'TemplateFailed' | 'LimitExceeded' = 'TemplateFailed'): void => {
      clearTimeout(deadline);
      reject(new RenderError(reason, why));
    };
    session.on('error', ({ message }: Error) => fail(message));
    const stream = session.request({
      ':method': 'POST',
      ':path': `${service}/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${timeMs}m`,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = '';
    let message = '';
    const note = (headers: Readonly<Record<string, unknown>>): void => {
      status = String(headers['grpc-status'] ?? status);
      message = String(headers['grpc-message'] ?? message);
    };
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.renderBytes)
        fail(`its response is larger than ${formatLimit(limitTable.renderBytes)}`, 'LimitExceeded');
      else chunks.push(chunk);
    });
    stream.on('error', ({ message: why }: Error) => fail(why));
    stream.on('close', () => {
      clearTimeout(deadline);
      if (status === '0') resolve(unframed(Buffer.concat(chunks)));
      else fail(decodeURIComponent(message) || `the plugin server ended the call with status ${status || 'unknown'}`);
    });
    void send(stream, requests);
  });
}

/** Sends no faster than the server reads. */
async function send(stream: NodeJS.WritableStream, requests: Iterable<Buffer>): Promise<void> {
  for (const request of requests) {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(request.length, 1);
    const more = stream.write(Buffer.concat([head, request]));
    if (!more) {
      await new Promise<void>((resolve) => {
        stream.once('drain', resolve);
        stream.once('close', resolve);
      });
    }
  }
  stream.end();
}

function unframed(bytes: Buffer): Buffer {
  if (bytes.length < 5) return Buffer.alloc(0);
  return bytes.subarray(5, 5 + bytes.readUInt32BE(1));
}

export interface StreamMetadata {
  readonly appName: string;
  readonly appRelPath: string;
  readonly checksum: string;
  readonly size: number;
  readonly env: readonly (readonly [name: string, value: string])[];
}

/** The first message of a stream. */
export function metadataMessage({ appName, appRelPath, checksum, size, env }: StreamMetadata): Buffer {
  const writer = new WireWriter();
  writer.message(1, (inner) => {
    inner.text(1, appName);
    inner.text(2, appRelPath);
    inner.text(3, checksum);
    inner.int(4, size);
    for (const [name, value] of env) {
      inner.message(5, (entry) => {
        entry.text(1, name);
        entry.text(2, value);
      });
    }
  });
  return writer.finish();
}

/** A part of the archive. */
export function fileMessage(chunk: Buffer): Buffer {
  const writer = new WireWriter();
  writer.message(2, (inner) => inner.bytes(1, chunk));
  return writer.finish();
}

/** The fields of a response: texts and flags by their numbers. */
export function readFields(message: Buffer): {
  readonly texts: readonly string[];
  readonly flags: ReadonlySet<number>;
} {
  const reader = new WireReader(message);
  const texts: string[] = [];
  const flags = new Set<number>();
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (wire === 0) {
      if (reader.int64() !== 0n) flags.add(number);
    } else if (wire === 2 && number === 1) texts.push(reader.text());
    else reader.skip(wire);
  }
  return { texts, flags };
}
