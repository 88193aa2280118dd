import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from '@fairlead/apimachinery';
import { eventLoopMonitor } from './event-loop-lag.ts';
import type { MetricsRegistry } from './metrics.ts';

/** Throws, or returns a reason, if the check fails. */
export type HealthCheck = () => string | undefined | Promise<string | undefined>;

export interface StatusServerOptions {
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly registry: MetricsRegistry;
  readonly live: ReadonlyMap<string, HealthCheck>;
  readonly ready: ReadonlyMap<string, HealthCheck>;
  /** Handlers of other paths. */
  readonly routes?: ReadonlyMap<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>;
  readonly proxied?: ProxiedPaths;
}

/** All paths below a prefix, with upgrades to other protocols. */
export interface ProxiedPaths {
  readonly prefix: string;
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/healthz`, `/readyz` (each with one line per check), `/metrics` and the given paths. Readiness and metrics include the event loop
 * of the process.
 */
export async function startStatusServer(options: StatusServerOptions): Promise<StatusServer> {
  eventLoopMonitor().publish(options.registry);
  const server = createServer((request, response) => {
    if (isProxied(options, request)) return options.proxied?.handle(request, response);
    answer(options, request, response).catch(() => response.destroy());
  });
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.on('close', () => upgraded.delete(socket));
    if (isProxied(options, request)) options.proxied?.upgrade(request, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of upgraded) socket.destroy();
      return closed(server);
    },
  };
}

const isProxied = ({ proxied }: StatusServerOptions, { url = '' }: IncomingMessage): boolean =>
  proxied !== undefined && url.startsWith(proxied.prefix);

async function answer(options: StatusServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const route = options.routes?.get(path);
  if (route) return route(request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'only GET is served here\n');
  if (path === '/metrics') {
    response.setHeader('content-type', options.registry.contentType);
    return end(response, 200, await options.registry.text());
  }
  const checks =
    path === '/healthz' || path === '/livez'
      ? options.live
      : path === '/readyz'
        ? withEventLoop(options.ready)
        : undefined;
  if (!checks) return end(response, 404, 'not found\n');
  const { passed, text } = await run(checks);
  end(response, passed ? 200 : 503, text);
}

const withEventLoop = (checks: ReadonlyMap<string, HealthCheck>): ReadonlyMap<string, HealthCheck> =>
  new Map([...checks, ['event loop', eventLoopMonitor().check]]);

async function run(checks: ReadonlyMap<string, HealthCheck>): Promise<{ passed: boolean; text: string }> {
  const lines = await Promise.all(
    Array.from(checks, async ([name, check]) => {
      const problem = await outcome(check);
      return problem === undefined ? `[+] ${name} ok\n` : `[-] ${name} failed: ${problem}\n`;
    }),
  );
  const passed = lines.every((line) => line.startsWith('[+]'));
  return { passed, text: passed ? `${lines.join('')}ok\n` : `${lines.join('')}failed\n` };
}

async function outcome(check: HealthCheck): Promise<string | undefined> {
  try {
    return (await check()) ?? undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function end(response: ServerResponse, code: number, text: string): void {
  response.statusCode = code;
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(text);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
