import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { frame } from '@fairlead/agent/grpc';
import { textAt } from '@fairlead/apimachinery';
import { RpcError } from '../rpc/rpc-error.ts';
import { drained } from './drained.ts';
import { isGrpcWeb, serveGrpcWebStream } from './grpc-web.ts';
import { type GrpcExchange, type GrpcOptions, serveCall } from './serve-call.ts';
import { statusTrailers } from './status.ts';

const isGrpc = /^application\/grpc(?:$|[+;])/u;

/** Serves a stream of HTTP/2 as a call of gRPC or gRPC-Web. */
export function serveGrpc(options: GrpcOptions, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  const type = textAt(headers, 'content-type');
  if (textAt(headers, ':method') !== 'POST') return refuse(stream, 405, 'gRPC calls are sent with POST');
  if (isGrpcWeb(type)) return void serveGrpcWebStream(options, stream, headers);
  if (!isGrpc.test(type)) return refuse(stream, 415, `invalid gRPC request content-type ${JSON.stringify(type)}`);
  const abort = new AbortController();
  stream.on('close', () => abort.abort());
  void serveCall(options, exchangeOf(stream, headers, abort.signal));
}

function exchangeOf(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, signal: AbortSignal): GrpcExchange {
  // Responses are compressed if requests are, as grpc-go does.
  const gzip = textAt(headers, 'grpc-encoding') === 'gzip';
  const metadata: Record<string, string> = {};
  const begin = (): void => {
    if (stream.headersSent || stream.closed) return;
    const head = {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-accept-encoding': 'gzip',
      ...(gzip ? { 'grpc-encoding': 'gzip' } : {}),
      ...metadata,
    };
    stream.respond(head, { waitForTrailers: true });
  };
  return {
    path: textAt(headers, ':path'),
    headers,
    remoteAddress: stream.session?.socket.remoteAddress ?? '',
    body: stream,
    signal,
    setHeader: (name, value) => {
      metadata[name] = value;
    },
    send: async (message) => {
      if (stream.closed || stream.writableEnded) return;
      begin();
      if (!stream.write(frame(message, gzip))) await drained(stream);
    },
    end: (error) => {
      if (stream.closed) return;
      const trailers = statusTrailers(error);
      if (!stream.headersSent) {
        // An error without a message is a head only.
        stream.respond(
          { ':status': 200, 'content-type': 'application/grpc', ...metadata, ...trailers },
          { endStream: true },
        );
        return closeSoon(stream);
      }
      stream.on('wantTrailers', () => {
        stream.sendTrailers(trailers);
        closeSoon(stream);
      });
      stream.end();
    },
  };
}

/** A client that goes on sending must not keep the stream open. */
function closeSoon(stream: ServerHttp2Stream): void {
  setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
}

function refuse(stream: ServerHttp2Stream, status: number, message: string): void {
  const trailers = statusTrailers(new RpcError('InvalidArgument', message));
  stream.respond({ ':status': status, 'content-type': 'application/grpc', ...trailers }, { endStream: true });
  closeSoon(stream);
}
