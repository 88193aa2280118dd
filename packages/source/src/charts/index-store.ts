import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { DiskBudget } from '../cache/disk-budget.ts';
import { createTtlCache, type TtlCache } from '../cache/ttl-cache.ts';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { discard, type HttpSession } from '../http/http-session.ts';
import { saveBody } from '../http/read-body.ts';
import { refusalOf } from '../http/refusal.ts';
import { authorizationOf } from './chart-authorization.ts';
import { ChartIndex } from './chart-index.ts';

export interface IndexStoreOptions {
  readonly http: HttpSession;
  readonly clock: Clock;
  readonly dir: string;
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
      maxBytes: options.maxDiskBytes ?? 2 * 1024 ** 3,
      clock: options.clock,
    });
  }

  get(
    repoUrl: string,
    { credentials, fresh = false }: { credentials?: RepositoryCredentials | undefined; fresh?: boolean },
  ): Promise<ChartIndex> {
    const key = `${repoUrl}\n${credentials?.name ?? ''}`;
    return this.#cached(key, fresh, () => this.#load(key, repoUrl, credentials));
  }

  async #load(key: string, repoUrl: string, credentials: RepositoryCredentials | undefined): Promise<ChartIndex> {
    const { http, dir } = this.#options;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const kept = await this.#kept(name);
    const url = `${repoUrl.replace(/\/+$/u, '')}/index.yaml`;
    const answer = await http.send({
      url,
      credentials,
      authorization: authorizationOf(credentials),
      headers: {
        ...(kept?.etag ? { 'if-none-match': kept.etag } : {}),
        ...(kept?.lastModified ? { 'if-modified-since': kept.lastModified } : {}),
      },
    });
    if (answer.status === 304 && kept) {
      await discard(answer);
      this.#disk.used(name);
      return this.#opened(name, kept.file, url);
    }
    if (answer.status !== 200) {
      await discard(answer);
      throw refusalOf(answer.status, url, { credentials });
    }
    return this.#store(name, url, answer);
  }

  async #store(name: string, url: string, answer: Parameters<typeof saveBody>[0]): Promise<ChartIndex> {
    const folder = join(this.#options.dir, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = `index-${this.#options.clock.now()}-${this.#count++}.yaml`;
    const { bytes } = await saveBody(answer, join(folder, file), this.#options.maxIndexBytes ?? 256 * 1024 * 1024);
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
    const index = await ChartIndex.read(join(this.#options.dir, name, file), url);
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
