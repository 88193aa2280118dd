import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '@fairlead/apimachinery';
import { type Clock, limits } from '@fairlead/kube';
import { DiskBudget } from '../cache/disk-budget.ts';
import { createTtlCache, type TtlCache } from '../cache/ttl-cache.ts';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { discard, type HttpSession } from '../http/http-session.ts';
import { saveBody } from '../http/read-body.ts';
import { refusalOf } from '../http/refusal.ts';
import { shownUrl } from '../http/shown-url.ts';
import { RedirectError } from '../network/redirect.ts';
import type { SourceFetches } from '../tasks/source-fetches.ts';
import { authorizationOf } from './chart-authorization.ts';
import { ChartIndex } from './chart-index.ts';

export interface IndexStoreOptions {
  readonly http: HttpSession;
  readonly clock: Clock;
  readonly dir: string;
  readonly fetches: SourceFetches;
  readonly pollMs: number;
  readonly maxIndexBytes?: number;
  readonly maxDiskBytes?: number;
}

interface Kept {
  readonly file: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

function isKept(value: unknown): value is Kept {
  if (!isJsonObject(value)) return false;
  const { file, etag = '', lastModified = '' } = value;
  const isFile = typeof file === 'string' && /^index-[\d-]+\.yaml$/u.test(file);
  return isFile && typeof etag === 'string' && typeof lastModified === 'string';
}

/**
 * Indexes of chart repositories, on disk. At most one request per interval and repository, shared by all callers; requests are
 * conditional, so servers that support it do not resend an unchanged index.
 */
export class IndexStore {
  readonly #options: IndexStoreOptions;
  readonly #cached: TtlCache<ChartIndex>;
  readonly #disk: DiskBudget;
  readonly #open = new Map<string, { readonly file: string; readonly index: ChartIndex }>();
  #count = 0;

  constructor(options: IndexStoreOptions) {
    this.#options = options;
    this.#cached = createTtlCache(options.clock, options.pollMs);
    this.#disk = new DiskBudget({
      dir: options.dir,
      maxBytes: options.maxDiskBytes ?? limits.chartIndexCacheBytes,
      clock: options.clock,
    });
  }

  get(
    repoUrl: string,
    ask: { credentials?: RepositoryCredentials | undefined; project?: string | undefined; fresh?: boolean },
  ): Promise<ChartIndex> {
    const { credentials, project, fresh = false } = ask;
    const key = `${repoUrl}\n${credentials?.name ?? ''}`;
    const { fetches } = this.#options;
    return this.#cached(key, fresh, () =>
      fetches.run({ url: repoUrl, project, repository: key, fresh }, () => this.#load(key, repoUrl, credentials)),
    );
  }

  async #load(key: string, repoUrl: string, credentials: RepositoryCredentials | undefined): Promise<ChartIndex> {
    const { http, dir } = this.#options;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const kept = await this.#kept(name);
    const url = indexUrl(repoUrl);
    const send = http.send({
      url,
      credentials,
      authorization: authorizationOf(credentials),
      headers: {
        ...(kept?.etag ? { 'if-none-match': kept.etag } : {}),
        ...(kept?.lastModified ? { 'if-modified-since': kept.lastModified } : {}),
      },
    });
    const answer = await send.catch((error: unknown) => {
      throw error instanceof RedirectError
        ? new RedirectError(repoUrl, error.target.replace(/\/index\.yaml$/u, ''))
        : error;
    });
    if (answer.status === 304 && kept) {
      await discard(answer);
      this.#disk.used(name);
      return this.#opened(name, kept.file, url);
    }
    if (answer.status !== 200) {
      await discard(answer);
      throw refusalOf(answer.status, shownUrl(url), { credentials });
    }
    return this.#store(name, url, answer);
  }

  async #store(name: string, url: string, answer: Parameters<typeof saveBody>[0]): Promise<ChartIndex> {
    const folder = join(this.#options.dir, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = `index-${this.#options.clock.now()}-${this.#count++}.yaml`;
    const { bytes } = await saveBody(answer, join(folder, file), this.#options.maxIndexBytes ?? limits.chartIndexBytes);
    const before = await this.#kept(name);
    try {
      const index = await this.#opened(name, file, url);
      const { etag, 'last-modified': lastModified } = answer.headers;
      const kept: Kept = { file, ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
      await writeFile(join(folder, 'kept.new'), JSON.stringify(kept));
      await rename(join(folder, 'kept.new'), join(folder, 'kept.json'));
      if (before) await rm(join(folder, before.file), { force: true });
      this.#disk.hold(name, bytes, () => this.#drop(name));
      return index;
    } catch (error) {
      await rm(join(folder, file), { force: true });
      throw error;
    }
  }

  async #opened(name: string, file: string, url: string): Promise<ChartIndex> {
    const open = this.#open.get(name);
    if (open?.file === file) return open.index;
    const index = await ChartIndex.read(join(this.#options.dir, name, file), shownUrl(url));
    this.#open.set(name, { file, index });
    return index;
  }

  async #kept(name: string): Promise<Kept | undefined> {
    try {
      const kept: unknown = JSON.parse(await readFile(join(this.#options.dir, name, 'kept.json'), 'utf8'));
      return isKept(kept) ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  async #drop(name: string): Promise<void> {
    this.#open.delete(name);
    await rm(join(this.#options.dir, name), { recursive: true, force: true });
  }
}

/** A redirect may point to the index itself, under any name. */
const indexUrl = (repoUrl: string): string =>
  /\?|\.yaml$/u.test(repoUrl) ? repoUrl : `${repoUrl.replace(/\/+$/u, '')}/index.yaml`;
