import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TlsOptions } from 'node:tls';
import { type Listening, listen } from './listen.ts';

export interface GitHttpServer extends Listening {
  /** The requests, oldest first: `GET /repo/info/refs?service=git-upload-pack`, prefixed with `!` if it was refused. */
  readonly requests: string[];
}

export interface GitHttpOptions {
  /** The root directory of the repositories. */
  readonly root: string;
  /** The accepted `Authorization`; without it, everyone has access. */
  readonly authorization?: string;
  readonly tls?: TlsOptions;
  /** Responds instead of git if it returns true. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Git over smart HTTP, by git's own `http-backend`. */
export async function startGitHttp(options: GitHttpOptions): Promise<GitHttpServer> {
  const requests: string[] = [];
  const server = await listen((request, response) => {
    const line = `${request.method} ${request.url}`;
    if (options.authorization !== undefined && request.headers.authorization !== options.authorization) {
      requests.push(`!${line}`);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('who are you?\n');
      request.resume();
      return;
    }
    requests.push(line);
    if (!options.intercept?.(request, response)) backend(request, response, options.root);
  }, options.tls);
  return { ...server, requests };
}

function backend(request: IncomingMessage, response: ServerResponse, root: string): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const header = (name: string): string => String(request.headers[name] ?? '');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      CONTENT_LENGTH: header('content-length'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  response.on('close', () => child.kill());
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  const onHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', onHead);
    const lines = head.toString('latin1', 0, end).split('\r\n');
    const headers = lines.map((line): [string, string] => [line.split(': ')[0]!, line.slice(line.indexOf(':') + 2)]);
    const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1] ?? '200';
    for (const [name, value] of headers) if (name.toLowerCase() !== 'status') response.setHeader(name, value);
    response.writeHead(Number.parseInt(status, 10));
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', onHead);
  child.stdout.on('end', () => response.headersSent || response.writeHead(500).end());
}
