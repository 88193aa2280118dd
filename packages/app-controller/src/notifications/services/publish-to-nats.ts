import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { at, messageOf, textAt } from '@fairlead/apimachinery';

export interface NatsServer {
  /** `nats://host:4222`; `tls://` for TLS from the moment at which the server asks for it. */
  readonly url: string;
  /** The seed of a user's key. */
  readonly nkey: string;
  readonly username: string;
  readonly password: string;
}

export interface NatsMessage {
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: string;
}

/** Publishes one message, and waits until the server has read it. See https://docs.nats.io/reference/reference-protocols/nats-protocol. */
export async function publishToNats(server: NatsServer, message: NatsMessage, signal: AbortSignal): Promise<void> {
  if (!/^[^\s]+$/u.test(message.subject)) throw new Error('nats: the recipient must be a subject without spaces');
  const url = URL.parse(server.url.includes('://') ? server.url : `nats://${server.url}`);
  if (!url)
    throw new Error(`nats: url ${JSON.stringify(server.url)} is not a URL such as nats://nats.example.com:4222`);
  const socket = connect({ host: url.hostname.replace(/^\[|\]$/gu, ''), port: Number(url.port || 4222), signal });
  const abort = (): void => void socket.destroy(new Error('the delivery took too long'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await converse(socket, url, server, message);
  } catch (error) {
    throw new Error(`nats: ${url.host}: ${messageOf(error)}`, { cause: error });
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

async function converse(plain: Socket, url: URL, server: NatsServer, message: NatsMessage): Promise<void> {
  const first = await new LineReader(plain).next();
  if (!first.startsWith('INFO ')) throw new Error('the server does not speak the protocol of NATS');
  const info: unknown = JSON.parse(first.slice(5));
  const isSecure = url.protocol === 'tls:' || at(info, 'tls_required') === true;
  const socket = isSecure ? connectTls({ socket: plain, servername: url.hostname }) : plain;
  if (isSecure) await once(socket, 'secureConnect');
  const user = server.username || decodeURIComponent(url.username);
  const pass = server.password || decodeURIComponent(url.password);
  const options = {
    verbose: false,
    pedantic: false,
    headers: true,
    lang: 'fairlead',
    version: '1',
    protocol: 1,
    ...(user !== '' && pass !== '' ? { user, pass } : {}),
    ...(server.nkey === '' ? {} : signedNonce(server.nkey, textAt(info, 'nonce'))),
  };
  socket.write(`CONNECT ${JSON.stringify(options)}\r\n${publication(message)}PING\r\n`);
  // The server may say more about itself before it answers.
  const reader = new LineReader(socket);
  let answer = await reader.next();
  while (answer.startsWith('INFO ')) answer = await reader.next();
  if (answer !== 'PONG') throw new Error(answer.replace(/^-ERR\s*/u, ''));
}

/** Reads what a server says, line by line. */
class LineReader {
  readonly #socket: Socket;
  #rest = '';

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** The next line, without those that need no answer. */
  async next(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\r\n');
      if (end < 0) {
        this.#rest += await this.#read();
        continue;
      }
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 2);
      if (line !== 'PING' && line !== '+OK') return line;
    }
  }

  #read(): Promise<string> {
    const stop = new AbortController();
    const [data, closed] = ['data', 'close'].map((event) => once(this.#socket, event, { signal: stop.signal }));
    const text = data?.then(([chunk]) => String(chunk)) ?? Promise.reject(new Error('nothing to read'));
    const ended = closed?.then((): never => {
      throw new Error('the server closed the connection');
    });
    return Promise.race([text, ...(ended ? [ended] : [])]).finally(() => {
      for (const one of [text, ended]) one?.catch(() => {});
      stop.abort();
    });
  }
}

function publication({ subject, headers, data }: NatsMessage): string {
  const size = Buffer.byteLength(data);
  const entries = Object.entries(headers);
  if (entries.length === 0) return `PUB ${subject} ${size}\r\n${data}\r\n`;
  const clean = (value: string): string => value.replaceAll(/[\r\n]+/gu, ' ');
  const head = `NATS/1.0\r\n${entries.map(([name, value]) => `${clean(name)}: ${clean(value)}\r\n`).join('')}\r\n`;
  const headSize = Buffer.byteLength(head);
  return `HPUB ${subject} ${headSize} ${headSize + size}\r\n${head}${data}\r\n`;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text.trim()) {
    const value = alphabet.indexOf(letter);
    if (value < 0) throw new Error('nkey is not a seed of NATS');
    bits += value.toString(2).padStart(5, '0');
  }
  return Buffer.from((bits.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/gu) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

/** The beginning of an Ed25519 key in PKCS 8, before its 32 bytes. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const userPrefix = 20 << 3;

/** The public key of a seed, and its signature of the server's nonce. */
export function signedNonce(seed: string, nonce: string): { readonly nkey: string; readonly sig: string } {
  const raw = fromBase32(seed);
  if (!seed.startsWith('S') || raw.length !== 36) throw new Error('nkey is not a seed of NATS');
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, raw.subarray(2, 34)]), format: 'der', type: 'pkcs8' });
  const point = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const named = Buffer.concat([Buffer.from([userPrefix]), point]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(named));
  return {
    nkey: toBase32(Buffer.concat([named, checksum])),
    sig: sign(null, Buffer.from(nonce), key).toString('base64url'),
  };
}
