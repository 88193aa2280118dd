import { type ApiClient, type Clock, limits } from '@fairlead/kube';
import { limiter } from '@fairlead/source';

/** A cluster with a request pending for longer is slow. */
export const patienceMs = 250;

/**
 * The requests to one cluster for single objects: at most `limits.clusterRequests` are in flight, and it is known whether the cluster is
 * slow. Lists and watches may take long and are not counted.
 */
export class ClusterRequests {
  readonly client: ApiClient;
  readonly #clock: Clock;
  readonly #inTurn = limiter(limits.clusterRequests);
  /** When each pending request was sent, the oldest first. */
  readonly #pending = new Map<symbol, number>();

  constructor(client: ApiClient, clock: Clock) {
    this.#clock = clock;
    this.client = this.through(client);
  }

  get isSlow(): boolean {
    const [oldest] = this.#pending.values();
    return oldest !== undefined && this.#clock.now() - oldest >= patienceMs;
  }

  /** Requests of another user to the same cluster, under the same limit. */
  through(client: ApiClient): ApiClient {
    return {
      get: (...request) => this.#send(() => client.get(...request)),
      list: (...request) => client.list(...request),
      watch: (...request) => client.watch(...request),
      create: (...request) => this.#send(() => client.create(...request)),
      replace: (...request) => this.#send(() => client.replace(...request)),
      patch: (...request) => this.#send(() => client.patch(...request)),
      delete: (...request) => this.#send(() => client.delete(...request)),
      deleteCollection: (...request) => this.#send(() => client.deleteCollection(...request)),
    };
  }

  #send<T>(request: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const id = Symbol();
      this.#pending.set(id, this.#clock.now());
      try {
        return await request();
      } finally {
        this.#pending.delete(id);
      }
    });
  }
}
