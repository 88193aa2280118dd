import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';

/** The nodes of embedded clusters are simulated: this proxy in front of the API server answers for their containers. */
export interface FakeContainers {
  /** The kubeconfig of the cluster, through this server. */
  readonly kubeconfig: string;
  /** The queries of requests for logs. */
  readonly logQueries: URLSearchParams[];
  /** The commands and sizes of terminals. */
  readonly terminals: string[];
  /** The size of logs; a few lines by default. */
  logBytes: number;
  close(): Promise<void>;
}

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const lineBytes = 200;

export async function startFakeContainers(kubeconfig: string): Promise<FakeContainers> {
  const api = /server: (https:\S+)/u.exec(kubeconfig)?.[1] ?? '';
  const server: Server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://cluster');
    if (/\/pods\/[^/]+\/log$/u.test(url.pathname)) {
      self.logQueries.push(url.searchParams);
      return sendLog(self.logBytes, url.searchParams, response);
    }
    forward(api, incoming, response);
  });
  const sockets = new Set<Duplex>();
  server.on('upgrade', (incoming, socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    runTerminal(incoming, socket, (text) => self.terminals.push(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: FakeContainers = {
    kubeconfig: kubeconfig.replace(api, `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    logQueries: [],
    terminals: [],
    logBytes: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

function forward(api: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = incoming;
  const asked = request(`${api}${url}`, { method, headers, rejectUnauthorized: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    pipeline(answer, response, () => {});
  });
  asked.on('error', () => response.destroy());
  response.on('close', () => asked.destroy());
  pipeline(incoming, asked, () => {});
}

/** Lines as a kubelet sends them: the time, then what the container wrote. With `follow`, it goes on until the reader leaves. */
function sendLog(bytes: number, query: URLSearchParams, response: ServerResponse): void {
  const total = bytes > 0 ? Math.ceil(bytes / lineBytes) : 10;
  const first = Math.max(0, total - Number(query.get('tailLines') ?? total));
  let next = first;
  response.writeHead(200, { 'content-type': 'text/plain' });
  const more = (): void => {
    while (next < total) {
      let text = '';
      for (let i = 0; i < 300 && next < total; i++, next++) text += lineOf(next);
      if (!response.write(text)) return void response.once('drain', more);
    }
    if (query.get('follow') !== 'true') return void response.end();
    const timer = setInterval(() => response.write(lineOf(next++)), 100);
    response.on('close', () => clearInterval(timer));
  };
  more();
}

function lineOf(number: number): string {
  const time = new Date(Date.UTC(2026, 0, 1) + number).toISOString().replace('Z', '000000Z');
  const text = `line ${number} `;
  return `${time} ${text.padEnd(lineBytes - time.length - 2, 'x')}\n`;
}

/** A shell that repeats its input, in the channel protocol of Kubernetes: the first byte of each message says what it is. */
function runTerminal(incoming: IncomingMessage, socket: Duplex, onStart: (text: string) => void): void {
  const url = new URL(incoming.url ?? '/', 'http://cluster');
  const protocols = String(incoming.headers['sec-websocket-protocol'] ?? '');
  if (!/\/pods\/[^/]+\/exec$/u.test(url.pathname) || !protocols.includes('v5.channel.k8s.io')) {
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    return;
  }
  onStart(url.searchParams.getAll('command').join(' '));
  const accept = createHash('sha1').update(`${incoming.headers['sec-websocket-key']}${magic}`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-protocol: v5.channel.k8s.io\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  const send = (channel: number, text: string): void => {
    const payload = Buffer.concat([Buffer.of(channel), Buffer.from(text)]);
    socket.write(Buffer.concat([Buffer.of(0x82, payload.length), payload]));
  };
  socket.on('error', () => socket.destroy());
  let buffered = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    // Messages of this test are small: a header of two bytes, a mask of four.
    for (;;) {
      const length = (buffered[1] ?? 0) & 0x7f;
      if (buffered.length < 6 + length) return;
      const mask = buffered.subarray(2, 6);
      const payload = Buffer.from(buffered.subarray(6, 6 + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
      const opcode = (buffered[0] ?? 0) & 0x0f;
      buffered = buffered.subarray(6 + length);
      const text = payload.subarray(1).toString();
      if (opcode === 8) return void socket.end();
      if (payload[0] === 4) onStart(text);
      if (payload[0] !== 0) continue;
      if (text !== 'exit') send(1, `you said ${text}`);
      else {
        send(3, JSON.stringify({ status: 'Failure', reason: 'NonZeroExitCode', message: 'exit code 3' }));
        socket.end(Buffer.of(0x88, 0));
      }
    }
  });
}
