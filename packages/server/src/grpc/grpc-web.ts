import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import { type Readable, Transform, type Writable } from 'node:stream';
import { frame } from '@fairlead/agent/grpc';
import { textAt } from '@fairlead/apimachinery';
import { drained } from './drained.ts';
import { type GrpcExchange, type GrpcOptions, serveCall } from './serve-call.ts';
import { statusTrailers } from './status.ts';

type Headers = Readonly<Record<string, string>>;

/** A request over HTTP/1.1 or HTTP/2. */
interface WebRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly body: Readable;
  readonly output: Writable;
  writeHead(headers: Headers): void;
}

const webType = /^application\/grpc-web(-text)?(?:$|[+;])/u;

export const isGrpcWeb = (contentType: string | undefined): boolean => webType.test(contentType ?? '');

/** Marks the frame that has the trailers. */
const trailerFlag = 0x80;

export const serveGrpcWeb = (options: GrpcOptions, request: IncomingMessage, response: ServerResponse): Promise<void> =>
  serve(options, {
    url: request.url ?? '',
    headers: request.headers,
    remoteAddress: request.socket.remoteAddress ?? '',
    body: request,
    output: response,
    writeHead: (headers) => response.writeHead(200, headers),
  });

export const serveGrpcWebStream = (
  options: GrpcOptions,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> =>
  serve(options, {
    url: textAt(headers, ':path'),
    headers,
    remoteAddress: stream.session?.socket.remoteAddress ?? '',
    body: stream,
    output: stream,
    writeHead: (more) => stream.respond({ ':status': 200, ...more }),
  });

/**
 * A call that fails before its first message has its status in the headers of the response, other calls in a last frame. With a path before
 * that of the method (`--grpc-web-root-path`), the method is at its end.
 */
async function serve(options: GrpcOptions, request: WebRequest): Promise<void> {
  const abort = new AbortController();
  request.output.once('close', () => abort.abort());
  await serveCall(options, exchangeOf(request, abort.signal));
}

function exchangeOf(
  { url, headers, remoteAddress, body, output, writeHead }: WebRequest,
  signal: AbortSignal,
): GrpcExchange {
  const type = headers['content-type'] ?? '';
  const isText = webType.exec(type)?.[1] !== undefined;
  const encode = (bytes: Buffer): Buffer | string => (isText ? bytes.toString('base64') : bytes);
  const metadata: Record<string, string> = {};
  let started = false;
  const begin = (more: Headers = {}): void => {
    if (!started) writeHead({ 'content-type': type, ...metadata, ...more });
    started = true;
  };
  return {
    path: methodPath(url),
    headers,
    remoteAddress,
    body: isText ? body.pipe(base64Decoder()) : body,
    signal,
    setHeader: (name, value) => {
      metadata[name] = value;
    },
    send: async (message) => {
      if (output.destroyed || output.writableEnded) return;
      begin();
      if (!output.write(encode(frame(message)))) await drained(output);
    },
    end: (error) => {
      if (output.destroyed) return;
      const trailers = statusTrailers(error);
      if (error && !started) {
        begin(trailers);
        output.end();
      } else {
        begin();
        output.end(encode(trailerFrame(trailers)));
      }
    },
  };
}

const methodPath = (url: string): string => /\/[^/]+\/[^/]*$/u.exec(url.replace(/\?.*$/su, ''))?.[0] ?? url;

function trailerFrame(trailers: Headers): Buffer {
  const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = frame(Buffer.from(lines.join('')));
  bytes[0] = trailerFlag;
  return bytes;
}

/** Pieces of a text request are encoded one by one, so padding may be anywhere. */
function base64Decoder(): Transform {
  let rest = '';
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const text = rest + chunk.toString('latin1');
      const whole = text.length - (text.length % 4);
      rest = text.slice(whole);
      const parts = text.slice(0, whole).match(/[^=]+=*/gu) ?? [];
      done(null, Buffer.concat(parts.map((part) => Buffer.from(part, 'base64'))));
    },
    flush(done) {
      done(null, Buffer.from(rest, 'base64'));
    },
  });
}
