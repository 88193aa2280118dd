import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeCodes, decodeFrame, encodeFrame, opcodes } from './frames.ts';

/** A connection that a client wants to use for another protocol. */
export interface Upgrade {
  readonly socket: Duplex;
  /** What the client has sent already. */
  readonly head: Buffer;
}

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The key of a handshake; undefined if the request is not a valid one. */
export function handshakeKey({ method, headers }: IncomingMessage): string | undefined {
  const key = headers['sec-websocket-key'] ?? '';
  const isWebSocket = method === 'GET' && (headers.upgrade ?? '').toLowerCase() === 'websocket';
  const isValid = headers['sec-websocket-version'] === '13' && Buffer.from(key, 'base64').length === 16;
  return isWebSocket && isValid ? key : undefined;
}

export interface WebSocketEvents {
  onMessage(text: string): void;
  onClose(): void;
}

/** The server's side of a WebSocket. Messages are limited in size; anything that is not a message closes it. */
export class ServerWebSocket {
  readonly #socket: Duplex;
  readonly #maxBytes: number;
  readonly #events: WebSocketEvents;
  #received: Buffer;
  #parts: Buffer[] = [];
  #isClosed = false;

  constructor({ socket, head }: Upgrade, key: string, maxBytes: number, events: WebSocketEvents) {
    this.#socket = socket;
    this.#maxBytes = maxBytes;
    this.#events = events;
    this.#received = head;
    const accept = createHash('sha1').update(`${key}${magic}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#readFrames();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#ended());
    socket.on('end', () => socket.end());
    if (head.length > 0) queueMicrotask(() => this.#readFrames());
  }

  /** Bytes that the client has not taken yet. */
  get buffered(): number {
    return this.#socket.writableLength;
  }

  send(text: string): void {
    this.#write(opcodes.text, Buffer.from(text));
  }

  ping(): void {
    this.#write(opcodes.ping, Buffer.from('ping'));
  }

  close(code: number = closeCodes.normal): void {
    if (this.#isClosed) return;
    this.#write(opcodes.close, Buffer.of(code >> 8, code & 0xff));
    this.#socket.end();
    this.#ended();
  }

  #ended(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#events.onClose();
  }

  #write(opcode: number, payload: Buffer): void {
    if (!this.#isClosed && this.#socket.writable) this.#socket.write(encodeFrame(opcode, payload));
  }

  #readFrames(): void {
    while (!this.#isClosed) {
      const decoded = decodeFrame(this.#received, this.#maxBytes);
      if (decoded === 'incomplete') return;
      if ('refused' in decoded) return this.close(decoded.refused);
      this.#received = this.#received.subarray(decoded.size);
      const { opcode, isFinal, payload } = decoded.frame;
      if (opcode === opcodes.close) return this.close();
      if (opcode === opcodes.ping) this.#write(opcodes.pong, payload);
      else if (opcode !== opcodes.pong) this.#readPart(opcode, isFinal, payload);
    }
  }

  #readPart(opcode: number, isFinal: boolean, payload: Buffer): void {
    if ((opcode === opcodes.continuation) !== this.#parts.length > 0) return this.close(closeCodes.protocolError);
    this.#parts.push(payload);
    if (this.#parts.reduce((sum, part) => sum + part.length, 0) > this.#maxBytes) return this.close(closeCodes.tooBig);
    if (!isFinal) return;
    const text = Buffer.concat(this.#parts).toString();
    this.#parts = [];
    this.#events.onMessage(text);
  }
}
