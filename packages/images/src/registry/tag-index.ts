import type { Clock } from '@fairlead/kube';
import type { RegistryClient, TagList } from './registry-client.ts';
import { readMetadata, type TagMetadata } from './tag-metadata.ts';

export interface TagIndexMetrics {
  leader(): void;
  follower(): void;
}

/** The maximum age of a response: not before this time. */
export interface Freshness {
  readonly notBefore: number;
}

interface Answer<T> {
  readonly at: number;
  readonly result: Promise<T>;
}

/** The tags whose digest was read last are checked every time; of the others, one part each time in rotation. */
const recheckedTags = 10;
const partsOfTheRest = 20;

/**
 * Cached tags and metadata of one registry repository for one login. Concurrent callers share one request and its result or error; later
 * callers get the cached result as long as it is fresh. Logins do not share the cache.
 */
export class TagIndex {
  readonly #repository: string;
  readonly #clock: Clock;
  readonly #metrics: TagIndexMetrics | undefined;
  #list: Answer<readonly string[]> | undefined;
  #known: TagList | undefined;
  readonly #digests = new Map<string, Answer<string>>();
  /** By digest: its content never changes. */
  readonly #metadata = new Map<string, Promise<TagMetadata>>();
  readonly #digestOfTag = new Map<string, string>();
  readonly #memo = new Map<string, unknown>();
  #memoOf: readonly string[] | undefined;
  #round = 0;
  #invalidAt = Number.NEGATIVE_INFINITY;
  lastUsed: number;

  constructor(repository: string, clock: Clock, metrics?: TagIndexMetrics) {
    this.#repository = repository;
    this.#clock = clock;
    this.#metrics = metrics;
    this.lastUsed = clock.now();
  }

  /** All tags. */
  tags(client: RegistryClient, freshness: Freshness): Promise<readonly string[]> {
    this.lastUsed = this.#clock.now();
    const known = this.#fresh(this.#list, freshness);
    if (known) return known;
    const answer: Answer<readonly string[]> = { at: this.#clock.now(), result: this.#fetchTags(client) };
    answer.result.catch(() => {});
    this.#metrics?.leader();
    this.#list = answer;
    return answer.result;
  }

  /** The current digest of a tag. */
  digest(client: RegistryClient, tag: string, freshness: Freshness): Promise<string> {
    this.lastUsed = this.#clock.now();
    const known = this.#fresh(this.#digests.get(tag), freshness);
    if (known) return known;
    const result = client.digest(this.#repository, tag);
    result.catch(() => {});
    this.#metrics?.leader();
    this.#digests.set(tag, { at: this.#clock.now(), result });
    return result;
  }

  /** The metadata of a tag. `again` first checks whether its digest has changed. */
  async metadata(client: RegistryClient, tag: string, freshness: Freshness, again: boolean): Promise<TagMetadata> {
    const before = this.#digestOfTag.get(tag);
    const digest = before !== undefined && !again ? before : await this.digest(client, tag, freshness);
    this.#digestOfTag.set(tag, digest);
    let metadata = this.#metadata.get(digest);
    if (!metadata) {
      metadata = readMetadata(client, this.#repository, digest);
      this.#metadata.set(digest, metadata);
      metadata.catch(() => this.#metadata.delete(digest));
    }
    return metadata;
  }

  /**
   * The tags whose digests are checked this time: all unknown ones, the newest, and a part of the rest, so that a tag that was pushed again
   * is detected without a request for each tag each time.
   */
  dueForCheck(newestFirst: readonly string[]): ReadonlySet<string> {
    const part = this.#round++ % partsOfTheRest;
    return new Set(
      newestFirst.filter((tag, i) => i < recheckedTags || i % partsOfTheRest === part || !this.#digestOfTag.has(tag)),
    );
  }

  /** Computed once per list of tags, for any number of callers. */
  memo<T>(key: string, tags: readonly string[], make: () => T): T {
    if (this.#memoOf !== tags) {
      this.#memo.clear();
      this.#memoOf = tags;
    }
    if (this.#memo.has(key)) return this.#memo.get(key) as T;
    const value = make();
    this.#memo.set(key, value);
    return value;
  }

  /** A push happened: earlier results are outdated. */
  invalidate(): void {
    this.#invalidAt = this.#clock.now();
    this.#list = undefined;
    this.#digests.clear();
    this.#digestOfTag.clear();
  }

  #fresh<T>(answer: Answer<T> | undefined, { notBefore }: Freshness): Promise<T> | undefined {
    if (!answer || answer.at < Math.max(notBefore, this.#invalidAt)) return undefined;
    this.#metrics?.follower();
    return answer.result;
  }

  async #fetchTags(client: RegistryClient): Promise<readonly string[]> {
    const found = await client.tags(this.#repository, this.#known?.etag);
    const before = this.#known;
    if (found === 'unchanged') return before?.tags ?? [];
    // The same array object for the same tags: memo() depends on it.
    const tags = before && sameTags(before.tags, found.tags) ? before.tags : found.tags;
    this.#known = { tags, etag: found.etag };
    if (tags !== before?.tags) this.#forgetDeleted(tags);
    return tags;
  }

  #forgetDeleted(tags: readonly string[]): void {
    if (this.#digestOfTag.size === 0) return;
    const present = new Set(tags);
    for (const tag of this.#digestOfTag.keys()) if (!present.has(tag)) this.#digestOfTag.delete(tag);
    const kept = new Set(this.#digestOfTag.values());
    for (const digest of this.#metadata.keys()) if (!kept.has(digest)) this.#metadata.delete(digest);
    for (const tag of this.#digests.keys()) if (!present.has(tag)) this.#digests.delete(tag);
  }
}

const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((tag, i) => tag === b[i]);
