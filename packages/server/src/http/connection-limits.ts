import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '@fairlead/kube';
import { type IsTrustedProxy, networkOf } from './client-address.ts';

/** Bounds on connections, before anything is known about who opens them. */
export interface ConnectionLimits {
  readonly connections: number;
  readonly headerMs: number;
  readonly requestMs: number;
  readonly idleMs: number;
  readonly stalledMs: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  connections: limits.serverConnections,
  headerMs: limits.serverHeaderMs,
  requestMs: limits.serverRequestMs,
  idleMs: limits.serverIdleMs,
  stalledMs: limits.serverStalledMs,
};

export const timeouts = ({ headerMs, requestMs, idleMs }: ConnectionLimits) => ({
  headersTimeout: headerMs,
  requestTimeout: requestMs,
  keepAliveTimeout: idleMs,
  connectionsCheckingInterval: Math.min(1_000, headerMs),
});

const loopback = /^(?:127\.|::1$|::ffff:127\.)/u;

/** Closes connections beyond the limits. Those of proxies are limited by the proxies. */
export function limitConnections(server: HttpServer, maxConnections: number, isTrusted: IsTrustedProxy): void {
  server.maxConnections = maxConnections;
  const byNetwork = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (loopback.test(address) || isTrusted(address)) return;
    const network = networkOf(address);
    const count = (byNetwork.get(network) ?? 0) + 1;
    if (count > limits.serverConnectionsPerAddress) {
      socket.destroy();
      return;
    }
    byNetwork.set(network, count);
    socket.once('close', () => {
      const left = (byNetwork.get(network) ?? 1) - 1;
      if (left === 0) byNetwork.delete(network);
      else byNetwork.set(network, left);
    });
  });
}
