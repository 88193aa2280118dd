import { type ConfigMap, configMapType, find, isAlreadyExists, isConflict, isNotFound } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

export const ledgerName = 'fairlead-agent-operations';
/** The number of operations that are recorded. A duplicate arrives within seconds, or after a restart. */
const limit = 500;
/** Persisted: do not rename. */
const startedKey = 'begun';

/** The operations that were started on this cluster. Stored in a ConfigMap, which outlives an Application that is recreated. */
export class OperationLedger {
  readonly #client: ApiClient;
  readonly #namespace: string;
  /**
   * Operations that this process started and may not have written to the Application yet, with the Application's uid. Only these may be
   * written again: the write is conditional on a version, so that one that succeeded after all is not repeated.
   */
  readonly #open = new Map<string, string>();

  constructor(client: ApiClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Whether the operation may start; from now on it counts as started. */
  async begin(id: string, application: string): Promise<boolean> {
    const ledger = await this.#read();
    const started = (ledger?.data?.[startedKey] ?? '').split(' ').filter(Boolean);
    if (started.includes(id)) return this.#open.get(id) === application;
    const next = {
      ...(ledger ?? {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: ledgerName, namespace: this.#namespace },
      }),
      data: { [startedKey]: [...started, id].slice(-limit).join(' ') },
    };
    try {
      // Another operation may be recorded at the same time.
      await (ledger ? this.#client.replace(configMapType, next) : this.#client.create(configMapType, next));
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error) || isNotFound(error)) return this.begin(id, application);
      throw error;
    }
    this.#open.set(id, application);
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size > limit) this.#open.delete(oldest);
    return true;
  }

  /** The operation is written to its Application. */
  close(id: string): void {
    this.#open.delete(id);
  }

  #read(): Promise<ConfigMap | undefined> {
    return find(this.#client.get<ConfigMap>(configMapType, { namespace: this.#namespace, name: ledgerName }));
  }
}
