import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** What is used of a request: those of HTTP/1.1 and of HTTP/2 both fit. */
export interface Incoming extends Readable, Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method' | 'url'> {
  /** With HTTP/2, the one stream of the connection. */
  readonly socket: { readonly destroyed: boolean };
}

/** What is used of an answer: those of HTTP/1.1 and of HTTP/2 both fit. */
export interface Outgoing {
  readonly headersSent: boolean;
  readonly socket: Socket | null;
  setHeader(name: string, value: number | string | readonly string[]): unknown;
  writeHead(status: number, headers?: OutgoingHttpHeaders): unknown;
  /** HTTP/2 sends the head as soon as it is written. */
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
  /** Frames are written here unchanged: framing each again for each of a thousand readers costs more than everything else. */
  readonly to: Writable;
  readonly framing: Framing;
}

/** Sends the head, and opens the body. Undefined when the client has gone. */
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
 * A response of HTTP/1.1 has no socket while the one before it on the same connection is not quite out, which is usual when a watch that
 * ended is taken up again. What is written before it has one is lost. One whose client has gone never gets one.
 */
function handedOver(response: Outgoing): Promise<void> {
  return new Promise((resolve) => {
    // The socket is assigned before this event, and writable only after it.
    response.once('socket', () => process.nextTick(resolve));
    response.once('close', resolve);
  });
}
