import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Listening, listen } from './listen.ts';
import { tarOf } from './tar-writer.ts';

export interface ChartRepositoryServer extends Listening {
  /** `GET /index.yaml 200`, oldest first. */
  readonly requests: string[];
  /** The `Authorization` headers of the requests. */
  readonly authorizations: (string | undefined)[];
  /** By path, without the leading slash. */
  readonly files: Map<string, Uint8Array | string>;
}

/** Static files over HTTP, with ETags, as on any web server. */
export async function startChartRepository(options: { authorization?: string } = {}): Promise<ChartRepositoryServer> {
  const files = new Map<string, Uint8Array | string>();
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const answer = (request: IncomingMessage): { status: number; body?: Uint8Array | string; etag?: string } => {
    if (options.authorization !== undefined && request.headers.authorization !== options.authorization)
      return { status: 401 };
    const body = files.get(decodeURIComponent(request.url ?? '').slice(1));
    if (body === undefined) return { status: 404 };
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    return request.headers['if-none-match'] === etag ? { status: 304, etag } : { status: 200, body, etag };
  };
  const server = await listen((request, response) => {
    const { status, body, etag } = answer(request);
    requests.push(`${request.method} ${request.url} ${status}`);
    authorizations.push(request.headers.authorization);
    response.writeHead(status, etag ? { etag } : {}).end(body);
  });
  return { ...server, requests, authorizations, files };
}

export interface PackedChart {
  readonly archive: Buffer;
  readonly digest: string;
}

/** A chart archive, as by `helm package`. */
export function packChart(name: string, version: string, files: Record<string, string> = {}): PackedChart {
  const all = { 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n`, ...files };
  const entries = Object.entries(all).map(([path, content]) => ({ name: `${name}/${path}`, content }));
  const archive = gzipSync(tarOf(entries));
  return { archive, digest: createHash('sha256').update(archive).digest('hex') };
}

export interface IndexEntry {
  readonly version: string;
  readonly url: string;
  readonly digest?: string;
}

/** An index as `helm repo index` writes it. */
export function indexOf(charts: Record<string, readonly IndexEntry[]>): string {
  const lines = ['apiVersion: v1', 'entries:'];
  for (const [name, entries] of Object.entries(charts)) {
    lines.push(`  ${name}:`);
    for (const { version, url, digest } of entries) {
      lines.push(
        '  - apiVersion: v2',
        '    created: "2024-01-01T00:00:00Z"',
        '    description: |-',
        `      A chart: ${name}`,
        '',
      );
      if (digest) lines.push(`    digest: ${digest}`);
      lines.push(`    name: ${name}`, '    urls:', `    - ${url}`, `    version: ${version}`);
    }
  }
  return `${lines.join('\n')}\ngenerated: "2024-01-01T00:00:00Z"\n`;
}
