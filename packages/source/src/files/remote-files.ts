import { type Clock, limits } from '@fairlead/kube';
import { memoryTree, remoteFile, type Tree } from '@fairlead/render';
import { BoundedCache } from '../cache/bounded-cache.ts';
import { createTtlCache, type TtlCache } from '../cache/ttl-cache.ts';
import { authorizationOf } from '../charts/chart-authorization.ts';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { discard, type HttpSession } from '../http/http-session.ts';
import { readBody } from '../http/read-body.ts';
import { refusalOf } from '../http/refusal.ts';
import { shownUrl } from '../http/shown-url.ts';
import type { SourceFetches } from '../tasks/source-fetches.ts';

const maxKeptBytes = 64 * 1024 * 1024;

interface Kept {
  readonly tree: Tree;
  readonly etag?: string;
}

/** Single files by HTTP, each as a tree of one file. At most one conditional request per interval and file, shared by all callers. */
export class RemoteFiles {
  readonly #http: HttpSession;
  readonly #fetches: SourceFetches;
  readonly #cached: TtlCache<Tree>;
  readonly #kept = new BoundedCache<Kept>(maxKeptBytes);

  constructor(options: { http: HttpSession; clock: Clock; fetches: SourceFetches; pollMs: number }) {
    const { http, clock, fetches, pollMs } = options;
    this.#http = http;
    this.#fetches = fetches;
    this.#cached = createTtlCache(clock, pollMs);
  }

  tree(
    url: string,
    ask: { credentials?: RepositoryCredentials | undefined; project?: string | undefined; fresh?: boolean } = {},
  ): Promise<Tree> {
    const { credentials, project, fresh = false } = ask;
    const key = `${url}\n${credentials?.name ?? ''}`;
    return this.#cached(key, fresh, () =>
      this.#fetches.run({ url, project, repository: key, fresh }, () => this.#load(key, url, credentials)),
    );
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
      throw refusalOf(answer.status, shownUrl(url), { credentials });
    }
    const content = await readBody(answer, limits.remoteFileBytes);
    const { etag } = answer.headers;
    const tree = memoryTree({ [remoteFile]: content });
    this.#kept.set(key, { tree, ...(etag ? { etag } : {}) }, content.length + 1_000);
    return tree;
  }
}
