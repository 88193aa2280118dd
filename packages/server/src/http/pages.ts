import { randomBytes } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
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
  readonly path: string;
  readonly contentType: string;
  readonly etag: string;
  readonly encodings: readonly Encoding[];
  /** Its name has a hash of its content. */
  readonly isHashed: boolean;
}

/**
 * Serves the web application: files of the build, and index.html for every other page, whose path the application reads. The files are listed
 * at the start, so no path of a request leads out of the folder.
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
    const path = join(folder, file);
    const { size, mtimeMs } = statSync(path);
    assets.set(`/${file.replaceAll('\\', '/')}`, {
      path,
      contentType,
      etag: `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
      encodings: (['br', 'gzip'] as const).filter((encoding) => files.has(file + encodings[encoding])),
      isHashed: /^assets[\\/]/u.test(file),
    });
  }
  return assets;
}

async function sendAsset(request: IncomingMessage, response: ServerResponse, asset: Asset): Promise<void> {
  const { path, contentType, etag, isHashed } = asset;
  response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('etag', etag);
  response.setHeader('vary', 'Accept-Encoding');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = asset.encodings.find((one) => new RegExp(`\\b${one}\\b`, 'u').test(accepted));
  const file = encoding ? path + encodings[encoding] : path;
  response.writeHead(200, {
    'content-type': contentType,
    'content-length': statSync(file).size,
    ...(encoding ? { 'content-encoding': encoding } : {}),
  });
  if (request.method === 'HEAD') return void response.end();
  try {
    await pipeline(createReadStream(file), response);
  } catch (error) {
    // The browser is gone: nobody is left to answer.
    if (!response.destroyed) throw error;
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
