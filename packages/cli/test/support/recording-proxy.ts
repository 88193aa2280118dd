import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ClusterAccess } from '@fairlead/kube';

export interface RecordedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number;
}

export interface RecordingProxy {
  /** `http://127.0.0.1:PORT`; requests keep their credentials. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** Forwards requests to an API server, and records how each was answered. */
export async function startRecordingProxy(
  target: Pick<ClusterAccess['client'], 'server' | 'tls'>,
): Promise<RecordingProxy> {
  const requests: RecordedRequest[] = [];
  const forward = (from: IncomingMessage, to: ServerResponse): void => {
    const { method = 'GET', url = '/', headers } = from;
    const at = new URL(url, target.server);
    const options = { method, headers: { ...headers, host: at.host } };
    const send =
      at.protocol === 'https:'
        ? httpsRequest(at, { ...options, ca: target.tls?.ca, rejectUnauthorized: target.tls?.insecure !== true })
        : httpRequest(at, options);
    send.on('response', (answer) => {
      requests.push({ method, path: url, status: answer.statusCode ?? 0 });
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
      answer.on('error', () => to.destroy());
    });
    send.on('error', () => to.destroy());
    to.on('close', () => send.destroy());
    from.pipe(send);
  };
  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
