import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { messageOf } from '@fairlead/apimachinery';
import { endToEndHeaders, requestHeaders, writeUpgradeRefusal } from '../wire/live-http.ts';
import { NoTunnel } from './tunnels.ts';

export const liveProxyPrefix = '/agents/';

export interface LiveProxyOptions {
  /** Whether the bearer of this header may use live access. */
  isAllowed(authorization: string | undefined): boolean;
  /** A connection to the server in an agent's cluster; throws `NoTunnel`. */
  connect(agent: string): Promise<Duplex>;
}

/**
 * `/agents/NAME/PATH` is PATH of the Kubernetes API in the cluster of agent NAME, as the agent permits: lists, watches, logs, writes and
 * WebSockets. Nothing is stored here: a caller that reads slowly slows down the agent.
 */
export function liveProxy({ isAllowed, connect }: LiveProxyOptions) {
  const open = async ({ headers, url = '' }: IncomingMessage): Promise<{ connection: Duplex; path: string }> => {
    if (!isAllowed(headers.authorization)) throw new NoTunnel(401, 'missing or wrong token');
    const [, agent = '', path = ''] = /^\/agents\/([^/?]+)(\/.*)$/su.exec(url) ?? [];
    if (path === '') throw new NoTunnel(404, `a path must begin with ${liveProxyPrefix}NAME/`);
    return { connection: await connect(agent), path };
  };
  return {
    prefix: liveProxyPrefix,
    handle(request: IncomingMessage, response: ServerResponse): void {
      const refuse = (error: unknown): void => {
        if (response.headersSent || response.destroyed) return void response.destroy();
        const code = error instanceof NoTunnel ? error.status : 502;
        response.writeHead(code, { 'content-type': 'application/json' });
        response.end(statusText(code, messageOf(error)));
      };
      open(request).then(({ connection, path }) => {
        if (response.destroyed) return void connection.destroy();
        const forwarded = httpRequest({
          method: request.method,
          path,
          headers: { ...requestHeaders(request.headers), host: 'cluster', connection: 'close' },
          createConnection: () => connection,
        });
        forwarded.on('error', refuse);
        forwarded.on('response', (answer) => {
          response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer.headers));
          response.flushHeaders();
          pipeline(answer, response, () => {});
        });
        response.on('close', () => forwarded.destroy());
        pipeline(request, forwarded, () => {});
      }, refuse);
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const refuse = (error: unknown): void => {
        const code = error instanceof NoTunnel ? error.status : 502;
        writeUpgradeRefusal(socket, code, statusText(code, messageOf(error)));
      };
      socket.on('error', () => socket.destroy());
      open(request).then(({ connection, path }) => {
        const headers = { ...requestHeaders(request.headers), connection: 'upgrade', upgrade: 'websocket' };
        const lines = Object.entries({ ...headers, host: 'cluster' }).map(([name, value]) => `${name}: ${value}\r\n`);
        connection.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
        if (head.length > 0) connection.write(head);
        pipeline(socket, connection, socket, () => {});
      }, refuse);
    },
  };
}

const statusText = (code: number, message: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', message, reason: reasons[code], code });

const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  404: 'NotFound',
  502: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};
