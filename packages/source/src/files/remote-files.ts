import type { Clock } from '@fairlead/kube';
import { memoryTree, remoteFile, type Tree } from '@fairlead/render';
import { BoundedCache } from '../cache/bounded-cache.ts';
import { createTtlCache, type TtlCache } from '../cache/ttl-cache.ts';
import { authorizationOf } from '../charts/chart-authorization.ts';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { discard, type HttpSession } from '../http/http-session.ts';
import { readBody } from '../http/read-body.ts';
import { refusalOf } from '../http/refusal.ts';

const maxFileBytes = 20 * 1024 * 1024;
const maxKeptBytes = 64 * 1024 * 1024;

interface Kept {
  readonly tree: Tree;
  readonly etag?: string;
}

/** Single files by HTTP, each as a tree of one file. At most one conditional request per interval and file, shared by all callers. */
export class RemoteFiles {
  readonly #http: HttpSession;
  readonly #cached: TtlCache<Tree>;
  readonly #kept = new BoundedCache<Kept>(maxKeptBytes);

  constructor({ http, clock, pollMs }: { http: HttpSession; clock: Clock; pollMs: number }) {
    this.#http = http;
    this.#cached = createTtlCache(clock, pollMs);
  }

  tree(
    url: string,
    { credentials, fresh = false }: { credentials?: RepositoryCredentials | undefined; fresh?: boolean } = {},
  ): Promise<Tree> {
    const key = `${url}\n${credentials?.name ?? ''}`;
    return this.#cached(key, fresh, () => this.#load(key, url, credentials));
  }

  async #load(key: string, url: string, credentials: RepositoryCredentials | undefined): Promise<Tree> {
    const kept = this.#kept.get(key);
    const answer = await this.#http.send({
      url,
      credentials,
      authorization: authorizationOf(credentials),
      ...(kept?.etag ? { headers: { 'if-none-match': kept.etag } } : {}),
    });
    if (answer.status === 304 && kept) {
      await discard(answer);
      return kept.tree;
    }
    if (answer.status !== 200) {
      await discard(answer);
      throw refusalOf(answer.status, url.replace(/[?#].*$/su, ''), { credentials });
    }
    const content = await readBody(answer, maxFileBytes);
    const { etag } = answer.headers;
    const tree = memoryTree({ [remoteFile]: content });
    this.#kept.set(key, { tree, ...(etag ? { etag } : {}) }, content.length + 1_000);
    return tree;
  }
}
