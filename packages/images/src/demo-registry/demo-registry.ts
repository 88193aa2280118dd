import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RegistryContent } from './registry-content.ts';

export interface DemoRegistryOptions {
  readonly port?: number;
  /** The directory of the images; in memory if not given. */
  readonly dir?: string;
  /** Called for each pushed tag, like a registry's webhook. */
  readonly onPush?: (push: { readonly repository: string; readonly tag: string; readonly digest: string }) => void;
}

export interface DemoRegistry {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly content: RegistryContent;
  close(): Promise<void>;
}

const maxUploadBytes = 64 * 1024 * 1024;

/**
 * A small registry on loopback, only for the demo: anyone on this machine may push and pull, and nothing is ever deleted. It implements the
 * part of the OCI distribution protocol that pushing and pulling images needs.
 */
export async function startDemoRegistry(options: DemoRegistryOptions = {}): Promise<DemoRegistry> {
  const content = new RegistryContent(options.dir);
  const server = createServer((request, response) => {
    handle(content, options, request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, 'UNKNOWN', String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    content,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ errors: [{ code, message }] }));
}

async function handle(
  content: RegistryContent,
  options: DemoRegistryOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A page in the user's browser can reach loopback under its own host name (DNS rebinding).
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/u.test(request.headers.host ?? ''))
    return refuse(response, 403, 'DENIED', 'on loopback only');
  const url = new URL(request.url ?? '/', 'http://registry');
  if (url.pathname === '/v2/' || url.pathname === '/v2')
    return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  const [, repository, what, reference = ''] =
    /^\/v2\/(.+)\/(tags\/list|manifests|blobs)(?:\/(.*))?$/u.exec(url.pathname) ?? [];
  if (repository === undefined)
    return refuse(response, 404, 'UNSUPPORTED', 'this registry does not support the request');
  const method = request.method ?? 'GET';
  if (what === 'tags/list') return tags(content, repository, url, response);
  if (what === 'manifests' && method === 'PUT')
    return putManifest(content, options, repository, reference, request, response);
  if (what === 'manifests') return manifest(content, repository, reference, method, response);
  if (method === 'POST')
    return void response
      .writeHead(202, { location: `/v2/${repository}/blobs/uploads/one`, 'docker-upload-uuid': 'one' })
      .end();
  if (method === 'PUT') return putBlob(content, url, request, response);
  const blob = content.blob(reference);
  if (!blob) return refuse(response, 404, 'BLOB_UNKNOWN', 'there is no such blob');
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': blob.length,
    'docker-content-digest': reference,
  });
  response.end(method === 'HEAD' ? undefined : blob);
}

function tags(content: RegistryContent, repository: string, url: URL, response: ServerResponse): void {
  const all = content.tags(repository);
  if (!all) return refuse(response, 404, 'NAME_UNKNOWN', `there is no repository ${repository}`);
  const n = Math.max(1, Number(url.searchParams.get('n') ?? 1_000) || 1_000);
  const last = url.searchParams.get('last');
  const from = last === null ? 0 : all.findIndex((tag) => tag > last);
  const page = from < 0 ? [] : all.slice(from, from + n);
  const more = from >= 0 && from + n < all.length;
  const body = JSON.stringify({ name: repository, tags: page });
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  response.setHeader('etag', etag);
  if (more)
    response.setHeader(
      'link',
      `</v2/${repository}/tags/list?last=${encodeURIComponent(page.at(-1) ?? '')}&n=${n}>; rel="next"`,
    );
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

function manifest(
  content: RegistryContent,
  repository: string,
  reference: string,
  method: string,
  response: ServerResponse,
): void {
  const found = content.manifest(repository, reference);
  if (!found) return refuse(response, 404, 'MANIFEST_UNKNOWN', `there is no ${repository}:${reference}`);
  const { mediaType, bytes, digest } = found;
  response.writeHead(200, {
    'content-type': mediaType,
    'content-length': bytes.length,
    'docker-content-digest': digest,
  });
  response.end(method === 'HEAD' ? undefined : bytes);
}

async function putManifest(
  content: RegistryContent,
  { onPush }: DemoRegistryOptions,
  repository: string,
  reference: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await bodyOf(request);
  const mediaType = request.headers['content-type'] ?? 'application/vnd.oci.image.manifest.v1+json';
  const digest = content.putManifest(repository, reference, { mediaType, bytes });
  response.writeHead(201, { location: `/v2/${repository}/manifests/${digest}`, 'docker-content-digest': digest }).end();
  if (!reference.includes(':')) onPush?.({ repository, tag: reference, digest });
}

async function putBlob(
  content: RegistryContent,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await bodyOf(request);
  const digest = content.putBlob(bytes);
  if (url.searchParams.get('digest') !== digest)
    return refuse(response, 400, 'DIGEST_INVALID', 'the blob has another digest');
  response.writeHead(201, { 'docker-content-digest': digest }).end();
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxUploadBytes) throw new Error('too large for the demo registry');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
