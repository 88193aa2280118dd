import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** The used part of a request: common to HTTP/1.1 and HTTP/2. */
export interface Incoming extends Readable, Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method' | 'url'> {
  /** With HTTP/2, the stream of the connection. */
  readonly socket: { readonly destroyed: boolean };
}

/** The used part of a response: common to HTTP/1.1 and HTTP/2. */
export interface Outgoing {
  readonly headersSent: boolean;
  readonly socket: Socket | null;
  setHeader(name: string, value: number | string | readonly string[]): unknown;
  writeHead(status: number, headers?: OutgoingHttpHeaders): unknown;
  /** HTTP/2 sends the headers as soon as they are written. */
  flushHeaders?(): void;
  end(): unknown;
  end(body: string | Buffer): unknown;
  destroy(): unknown;
  once(event: 'close' | 'socket', listener: () => void): unknown;
}

/** How a line of a streamed body is written: as a chunk of HTTP/1.1, or unchanged, as HTTP/2 does its own framing. */
export type Framing = 'chunk' | 'line';

export function frameOf(framing: Framing, line: string): Buffer {
  if (framing === 'line') return Buffer.from(`${line}\n`);
  return Buffer.from(`${(Buffer.byteLength(line) + 1).toString(16)}\r\n${line}\n\r\n`);
}

/** A streamed body. */
export interface Lines {
  /** Frames are written here unchanged: framing each again for each of a thousand watchers would dominate the cost. */
  readonly to: Writable;
  readonly framing: Framing;
}

/** Sends the headers, and opens the body. Undefined if the client has disconnected. */
export async function openLines(response: Outgoing): Promise<Lines | undefined> {
  if (response instanceof Http2ServerResponse) {
    const { stream } = response;
    if (!stream || stream.destroyed) return undefined;
    response.writeHead(200);
    return { to: stream, framing: 'line' };
  }
  if (!response.socket) await handedOver(response);
  const { socket } = response;
  if (!socket) return undefined;
  response.setHeader('transfer-encoding', 'chunked');
  response.writeHead(200);
  response.flushHeaders?.();
  return { to: socket, framing: 'chunk' };
}

/**
 * An HTTP/1.1 response has no socket until the previous one on the same connection is completely sent, which is common when a watch is
 * resumed. Data written before that is lost. If the client has disconnected, it never gets one.
 */
function handedOver(response: Outgoing): Promise<void> {
  return new Promise((resolve) => {
    // The socket is assigned before this event, and writable only after it.
    response.once('socket', () => process.nextTick(resolve));
    response.once('close', resolve);
  });
}
