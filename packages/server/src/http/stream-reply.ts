import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { isObject, toJson } from '@fairlead/apimachinery';
import type { Route } from '../messages/routes.ts';
import { rpcErrorOf } from '../rpc/kube-error.ts';
import { type RpcError, rpcCodes } from '../rpc/rpc-error.ts';
import type { ApplicationEncoder } from './application-encoder.ts';
import { encodeWatchEvent } from './encode-response.ts';
import { httpStatus } from './http-status.ts';
import { RecentBuffers } from './recent-buffers.ts';
import { selectedFields, shapeResponse } from './shape-response.ts';
import { StreamWriter } from './stream-writer.ts';

interface StreamOptions {
  readonly vary: Readonly<Record<string, string>>;
  readonly route: Route;
  readonly fields: string;
  readonly encoder: ApplicationEncoder;
}

/** Sends messages as lines of JSON, or as server-sent events if the client asks for these. An error before the first message is an ordinary error. */
export async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  messages: AsyncIterable<object>,
  { vary, route, fields, encoder }: StreamOptions,
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
  const framed = (text: string): string => (isEvents ? `data: ${text}\n\n` : `${text}\n`);
  const writer = new StreamWriter(response);
  const form = `${isEvents ? 'event' : 'line'} ${fields}`;
  try {
    for await (const message of messages) {
      start();
      const encode = (): string => framed(`{"result":${encodeMessage(route, message, fields, encoder)}}`);
      // A line of a log is for one client.
      const bytes = route.call === 'Application.PodLogs' ? Buffer.from(encode()) : recent.get(message, form, encode);
      if (!writer.add(bytes)) await writer.drained();
    }
  } catch (error) {
    if (!response.headersSent) throw error;
    await writer.write(Buffer.from(framed(JSON.stringify({ error: streamError(rpcErrorOf(error)) }))));
  }
  start();
  writer.end();
}

/** Of all streams: a message is the same object for every client that receives it. */
const recent = new RecentBuffers(256);

function encodeMessage(route: Route, message: object, fields: string, encoder: ApplicationEncoder): string {
  if (route.call === 'Application.Watch') return encodeWatchEvent(message, fields, encoder);
  // Entries have the fields of the message, in their order: a log has too many of them to decode each.
  if (route.call === 'Application.PodLogs') return JSON.stringify(message);
  const value = toJson(message);
  return JSON.stringify(selectedFields(route, isObject(value) ? shapeResponse(route, value) : {}, fields));
}

/** The error of a stream, before its first message or after others. */
export const streamError = ({ message, code }: RpcError): object => ({
  grpc_code: rpcCodes[code],
  http_code: httpStatus[code],
  message,
  http_status: STATUS_CODES[httpStatus[code]] ?? '',
});
