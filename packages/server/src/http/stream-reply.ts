import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { isObject, toJson } from '@fairlead/apimachinery';
import type { Route } from '../messages/routes.ts';
import { rpcErrorOf } from '../rpc/kube-error.ts';
import { type RpcError, rpcCodes } from '../rpc/rpc-error.ts';
import { httpStatus } from './http-status.ts';
import { selectedFields, shapeResponse } from './shape-response.ts';

interface StreamOptions {
  readonly vary: Readonly<Record<string, string>>;
  readonly route: Route;
  readonly query: URLSearchParams;
}

/** Sends messages as lines of JSON, or as server-sent events if the client asks for these. An error before the first message is an ordinary error. */
export async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  messages: AsyncIterable<object>,
  { vary, route, query }: StreamOptions,
): Promise<void> {
  const isEvents = request.headers.accept === 'text/event-stream';
  const start = (): void => {
    if (response.headersSent) return;
    response.writeHead(200, {
      'content-type': isEvents ? 'text/event-stream' : 'application/json',
      ...(isEvents ? { 'cache-control': 'no-cache' } : {}),
      ...vary,
      'grpc-metadata-content-type': 'application/grpc',
    });
  };
  // A client that reads slowly slows down the stream, instead of filling memory.
  const write = async (value: object): Promise<void> => {
    const text = JSON.stringify(value);
    if (response.write(isEvents ? `data: ${text}\n\n` : `${text}\n`) || response.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  };
  try {
    for await (const message of messages) {
      const value = toJson(message);
      if (!isObject(value)) continue;
      start();
      await write({ result: selectedFields(route, shapeResponse(route, value), query.get('fields') ?? '') });
    }
  } catch (error) {
    if (!response.headersSent) throw error;
    await write({ error: streamError(rpcErrorOf(error)) });
  }
  start();
  response.end();
}

/** The error of a stream, before its first message or after others. */
export const streamError = ({ message, code }: RpcError): object => ({
  grpc_code: rpcCodes[code],
  http_code: httpStatus[code],
  message,
  http_status: STATUS_CODES[httpStatus[code]] ?? '',
});
