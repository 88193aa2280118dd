import { getOrCreate } from '@fairlead/apimachinery';
import { type Clock, limits } from '@fairlead/kube';
import { SourceError } from '../source-error.ts';
import { FetchLanes } from './fetch-lanes.ts';
import { RepositoryBackoff } from './repository-backoff.ts';

/** What is fetched over HTTP, and for whom. */
export interface SourceFetch {
  readonly url: string;
  /** For whom it is read: each project has its own lane. */
  readonly project?: string | undefined;
  /** Names the repository whose failures all its Applications share; they share none when not given. */
  readonly repository?: string;
  /** Tries a repository that has failed at once. */
  readonly fresh?: boolean | undefined;
}

const maxRepositories = 10_000;

/**
 * Fetches from chart repositories, registries and file servers. Each takes a slot of its host and of its project, so a server that never
 * answers, and a project that names many of them, delay nobody else; a repository that is unavailable is left alone for a while.
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

/** Not a version that does not exist, or a password that is wrong: others of the repository may succeed. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof SourceError && error.reason === 'RepositoryUnavailable';
