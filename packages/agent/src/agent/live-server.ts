import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { messageOf } from '@fairlead/apimachinery';
import type { HttpClient, Logger } from '@fairlead/kube';
import { endToEndHeaders, requestHeaders, writeUpgradeRefusal } from '../wire/live-http.ts';
import { type LivePolicy, refusalOf } from './live-policy.ts';

/** The API of this cluster. */
export type LiveCluster = Pick<HttpClient, 'forward' | 'forwardUpgrade'>;

/**
 * Serves the API of this cluster to the principal, as far as the policy permits. It listens nowhere: its connections are the tunnels that
 * the agent has opened.
 */
export function liveServer(cluster: LiveCluster, policy: LivePolicy, log: Logger): Server {
  const server = createServer((request, response) => {
    forward(cluster, policy, log, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, `the API server cannot be reached: ${messageOf(error)}`);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    upgrade(cluster, policy, log, request, socket, head).catch((error: unknown) =>
      writeUpgradeRefusal(socket, 502, statusText(502, `the API server cannot be reached: ${messageOf(error)}`)),
    );
  });
  // Watches and followed logs have no end.
  server.requestTimeout = 0;
  return server;
}

async function forward(
  cluster: LiveCluster,
  policy: LivePolicy,
  log: Logger,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: path = '/' } = request;
  const refusal = refusalOf(policy, { method, path });
  if (refusal !== undefined) {
    log.warn('live access is refused', { method, path: path.split('?')[0], reason: refusal });
    return refuse(response, 403, refusal);
  }
  const isWrite = method !== 'GET';
  if (isWrite) log.info('live access changes an object', { method, path: path.split('?')[0] });
  const stop = new AbortController();
  response.on('close', () => stop.abort());
  const answer = await cluster.forward({
    method,
    path,
    headers: requestHeaders(request.headers),
    ...(isWrite ? { body: request } : {}),
    signal: stop.signal,
  });
  response.writeHead(answer.statusCode, endToEndHeaders(answer.headers));
  // The start of a followed log may be long in coming.
  response.flushHeaders();
  pipeline(answer.body, response, () => {});
}

async function upgrade(
  cluster: LiveCluster,
  policy: LivePolicy,
  log: Logger,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const { url: path = '/' } = request;
  const refusal = refusalOf(policy, { method: 'GET', path });
  if (refusal !== undefined) {
    log.warn('live access is refused', { method: 'GET', path: path.split('?')[0], reason: refusal });
    return writeUpgradeRefusal(socket, 403, statusText(403, refusal));
  }
  log.info('live access opens a terminal', { path: path.split('?')[0] });
  const stop = new AbortController();
  socket.on('close', () => stop.abort());
  const answer = await cluster.forwardUpgrade({ path, headers: requestHeaders(request.headers), signal: stop.signal });
  if (!('socket' in answer)) return writeUpgradeRefusal(socket, answer.status, answer.text);
  const headers = endToEndHeaders(answer.headers);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n${lines.join('')}\r\n`,
  );
  if (head.length > 0) answer.socket.write(head);
  pipeline(socket, answer.socket, socket, () => {});
}

function refuse(response: ServerResponse, code: number, message: string): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(statusText(code, message));
}

/** As the API server answers, so that clients show the message. */
const statusText = (code: number, message: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    message,
    reason: code === 403 ? 'Forbidden' : 'InternalError',
    code,
  });
