import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createPlainServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';

export interface Listening {
  /** `http://127.0.0.1:PORT`, or https. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves HTTP, or HTTPS with `tls`, on a free port of loopback. */
export async function listen(handle: RequestListener, tls?: TlsOptions): Promise<Listening> {
  const server: Server = tls ? createSecureServer(tls, handle) : createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function freePort(): Promise<number> {
  const server = createPlainServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves when the port is open. */
export async function untilListening(port: number, alive: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (!alive()) throw new Error('the server ended before it listened');
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await wait(25);
  }
  throw new Error(`nothing listens on port ${port}`);
}
