import { type ConfigMap, configMapType, find, isAlreadyExists, isConflict, isNotFound } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

export const ledgerName = 'fairlead-agent-operations';
/** So many operations are cachedByObject; one that comes again does so within seconds, or after a restart. */
const limit = 500;

/** The operations that were begun on this cluster, kept in it: an Application can be deleted and recreated, this stays. */
export class OperationLedger {
  readonly #client: ApiClient;
  readonly #namespace: string;
  /**
   * Begun by this process and perhaps not written to the Application yet, with the uid of that. For these alone, being known is no
   * reason to stop: writes say which version they are based on, so that one that was done after all is not done twice.
   */
  readonly #open = new Map<string, string>();

  constructor(client: ApiClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Whether it may be carried out; from now on it counts as begun. */
  async begin(id: string, application: string): Promise<boolean> {
    const ledger = await this.#read();
    const begun = (ledger?.data?.['begun'] ?? '').split(' ').filter(Boolean);
    if (begun.includes(id)) return this.#open.get(id) === application;
    const next = {
      ...(ledger ?? {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: ledgerName, namespace: this.#namespace },
      }),
      data: { begun: [...begun, id].slice(-limit).join(' ') },
    };
    try {
      // Another operation may be recorded at the same moment.
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

  /** It is written to its Application. */
  close(id: string): void {
    this.#open.delete(id);
  }

  #read(): Promise<ConfigMap | undefined> {
    return find(this.#client.get<ConfigMap>(configMapType, { namespace: this.#namespace, name: ledgerName }));
  }
}
