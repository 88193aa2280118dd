import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import type { PathHandler } from './api-server.ts';
import { sendText } from './reply.ts';

export interface PagesOptions {
  /** The folder with the built web application. */
  readonly folder: string;
  readonly frameOptions: string;
  /** Added to the policy of the pages. */
  readonly contentSecurityPolicy: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Written by the build in place of the nonce. */
const nonceMark = '__CSP_NONCE__';
const encodings = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof encodings;

interface Asset {
  readonly contentType: string;
  readonly etag: string;
  /** Its content: as it is, and compressed. */
  readonly bodies: ReadonlyMap<Encoding | 'identity', Buffer>;
  /** Its name has a hash of its content. */
  readonly isHashed: boolean;
}

/**
 * Serves the web application: files of the build, and index.html for every other page, whose path the application reads. The files are read at
 * the start, so no path of a request leads out of the folder, and a new build does not change what a running server serves.
 */
export function pagesHandler(options: PagesOptions): PathHandler {
  const assets = readAssets(options.folder);
  const index = readFileSync(join(options.folder, 'index.html'), 'utf8');
  return (request, response, { pathname }) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendText(response, 405, 'Method Not Allowed');
    const asset = assets.get(pathname);
    if (asset) return sendAsset(request, response, asset);
    const isPage = /\btext\/html\b|\*\/\*/u.test(request.headers.accept ?? '*/*') && !pathname.startsWith('/assets/');
    if (!isPage) return sendText(response, 404, '404 page not found');
    sendIndex(request, response, index, options);
  };
}

function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  const assets = new Map<string, Asset>();
  for (const file of files) {
    const contentType = contentTypes[extname(file)];
    if (contentType === undefined) continue;
    const content = readFileSync(join(folder, file));
    const bodies = new Map<Encoding | 'identity', Buffer>();
    for (const encoding of ['br', 'gzip'] as const) {
      const name = file + encodings[encoding];
      if (files.has(name)) bodies.set(encoding, readFileSync(join(folder, name)));
    }
    assets.set(`/${file.replaceAll('\\', '/')}`, {
      contentType,
      etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
      bodies: bodies.set('identity', content),
      isHashed: /^assets[\\/]/u.test(file),
    });
  }
  return assets;
}

function sendAsset(request: IncomingMessage, response: ServerResponse, asset: Asset): void {
  const { contentType, etag, isHashed, bodies } = asset;
  response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('etag', etag);
  response.setHeader('vary', 'Accept-Encoding');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  for (const [encoding, body] of bodies) {
    if (encoding !== 'identity' && !new RegExp(`\\b${encoding}\\b`, 'u').test(accepted)) continue;
    response.writeHead(200, {
      'content-type': contentType,
      'content-length': body.length,
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    });
    return void response.end(request.method === 'HEAD' ? undefined : body);
  }
}

function sendIndex(
  request: IncomingMessage,
  response: ServerResponse,
  index: string,
  { frameOptions, contentSecurityPolicy }: PagesOptions,
): void {
  const nonce = randomBytes(18).toString('base64');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `${pagePolicy(nonce)}; ${contentSecurityPolicy}`,
    'x-frame-options': frameOptions,
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  });
  response.end(request.method === 'HEAD' ? undefined : index.replaceAll(nonceMark, nonce));
}

/** Scripts only from this server. Style sheets that libraries insert carry the nonce. */
const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ');
