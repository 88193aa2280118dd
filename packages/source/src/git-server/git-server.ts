import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GitServer {
  /** `http://127.0.0.1:PORT`; a repository is a directory below the root. */
  readonly url: string;
  close(): Promise<void>;
}

export interface GitServerOptions {
  /** The directory of the bare repositories. */
  readonly root: string;
  readonly port?: number;
  /** The environment variables for `git`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Responds 401 unless this user and password are sent. */
  readonly credentials?: { readonly user: string; readonly password: string };
}

/** Serves Git over smart HTTP on loopback, by git's own `http-backend`: clone, fetch, and push if the repository permits it. */
export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const server = createServer((request, response) => {
    const refusal = refuse(request, options);
    if (refusal) {
      response
        .writeHead(refusal.code, { 'content-type': 'text/plain', ...refusal.headers })
        .end(`${refusal.message}\n`);
      request.resume();
    } else backend(request, response, options);
  });
  await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly headers?: Record<string, string>;
}

function refuse(request: IncomingMessage, { credentials }: GitServerOptions): Refusal | undefined {
  // A page in the user's browser can reach loopback under its own host name (DNS rebinding); git never sends such a name by accident.
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/u.test(request.headers.host ?? '')) {
    return { code: 403, message: 'this server answers on loopback only' };
  }
  if (request.method !== 'GET' && request.method !== 'POST') return { code: 405, message: 'GET and POST only' };
  if (pathOf(request) === undefined) return { code: 400, message: 'the path has an invalid % sequence' };
  if (!credentials) return undefined;
  const expected = `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
  if (request.headers.authorization === expected) return undefined;
  return { code: 401, message: 'authentication required', headers: { 'www-authenticate': 'Basic realm="git"' } };
}

/** The decoded path of a request; undefined if it cannot be decoded. */
function pathOf({ url = '/' }: IncomingMessage): string | undefined {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
}

/** One CGI call. */
function backend(request: IncomingMessage, response: ServerResponse, { root, environment }: GitServerOptions): void {
  const query = /\?(.*)$/su.exec(request.url ?? '')?.[1] ?? '';
  const header = (name: string): string => String(request.headers[name] ?? '');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: environment['PATH'] ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: pathOf(request) ?? '/',
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      CONTENT_LENGTH: header('content-length'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_USER: 'local',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.on('error', () => response.headersSent || response.writeHead(500).end('git could not be started\n'));
  child.stdin.on('error', () => {});
  response.on('close', () => child.kill());
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  const onHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', onHead);
    const { status, headers } = parseHead(head.toString('latin1', 0, end));
    response.writeHead(status, headers);
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', onHead);
  child.stdout.on('end', () => response.headersSent || response.writeHead(500).end('git did not respond\n'));
}

function parseHead(text: string): { status: number; headers: [string, string][] } {
  let status = 200;
  const headers: [string, string][] = [];
  for (const line of text.split('\r\n')) {
    const [name = '', value = ''] = line.split(/:\s*/u, 2);
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else headers.push([name, value]);
  }
  return { status, headers };
}
