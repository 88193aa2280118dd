import { getOrCreate } from '@fairlead/apimachinery';
import { type Clock, limits } from '@fairlead/kube';
import { SourceError } from '../source-error.ts';
import { FetchLanes } from './fetch-lanes.ts';
import { RepositoryBackoff } from './repository-backoff.ts';

/** A fetch over HTTP, and its caller. */
export interface SourceFetch {
  readonly url: string;
  /** The project that reads: each has its own lane. */
  readonly project?: string | undefined;
  /** Identifies the repository whose failures all its Applications share; not shared if absent. */
  readonly repository?: string;
  /** Retries a failed repository at once. */
  readonly fresh?: boolean | undefined;
}

const maxRepositories = 10_000;

/**
 * Fetches from chart repositories, registries and file servers. Each uses a slot of its host and of its project, so a server that never
 * responds, and a project with many of them, delay no other; an unavailable repository is backed off.
 */
export class SourceFetches {
  readonly #clock: Clock;
  readonly #pollMs: number;
  readonly #lanes = new FetchLanes(limits.httpFetches);
  readonly #backoffs = new Map<string, RepositoryBackoff>();

  constructor({ clock, pollMs }: { readonly clock: Clock; readonly pollMs: number }) {
    this.#clock = clock;
    this.#pollMs = pollMs;
  }

  run<T>({ url, project = '', repository, fresh = false }: SourceFetch, fetch: () => Promise<T>): Promise<T> {
    const backoff = repository === undefined ? undefined : this.#backoffOf(repository);
    return this.#lanes.run(lanesOf(hostOf(url), project), async () => {
      if (!backoff) return fetch();
      // It may have failed while this one waited for its slot.
      if (!fresh) backoff.check();
      return backoff.run(fetch, isUnavailable);
    });
  }

  #backoffOf(repository: string): RepositoryBackoff {
    const backoff = getOrCreate(this.#backoffs, repository, () => new RepositoryBackoff(this.#clock, this.#pollMs));
    const [oldest] = this.#backoffs.keys();
    if (this.#backoffs.size > maxRepositories && oldest !== undefined) this.#backoffs.delete(oldest);
    return backoff;
  }
}

const lanesOf = (host: string, project: string) => [
  { name: `host ${host}`, slots: limits.httpFetchesPerHost },
  { name: `project ${project} on ${host}`, slots: limits.httpFetchesPerProjectAndHost },
  { name: `project ${project}`, slots: limits.httpFetchesPerProject },
];

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** Not for a missing version or a wrong password: other requests to the repository may succeed. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof SourceError && error.reason === 'RepositoryUnavailable';
