import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '../client/api-client.ts';
import { Informer, type InformerOptions } from './informer.ts';
import type { Selection } from './reflector.ts';

export type InformerFactoryOptions = Omit<InformerOptions, 'store'>;

/** One informer, and so one watch, for each (kind, namespace, selectors), shared by all callers. */
export class InformerFactory {
  readonly #client: Pick<ApiClient, 'list' | 'watch'>;
  readonly #options: InformerFactoryOptions;
  readonly #informers = new Map<string, Informer>();
  readonly #runs: Promise<void>[] = [];
  #signal: AbortSignal | undefined;

  constructor(client: Pick<ApiClient, 'list' | 'watch'>, options: InformerFactoryOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  informer<T extends KubeObject = KubeObject>(type: ResourceType, selection: Selection = {}): Informer<T> {
    const { namespace = '', labelSelector = '', fieldSelector = '' } = selection;
    const id = [type.group, type.version, type.plural, namespace, labelSelector, fieldSelector].join('|');
    let informer = this.#informers.get(id);
    if (!informer) {
      informer = new Informer(this.#client, type, selection, this.#options);
      this.#informers.set(id, informer);
      if (this.#signal) this.#runs.push(informer.run(this.#signal));
    }
    // One informer is used with every type that callers have for its objects; the server determines their content.
    return informer as unknown as Informer<T>;
  }

  /** Runs every informer, also those created later, until the signal aborts. */
  start(signal: AbortSignal): void {
    if (this.#signal) throw new Error('the informers run already');
    this.#signal = signal;
    for (const informer of this.#informers.values()) this.#runs.push(informer.run(signal));
  }

  get hasSynced(): boolean {
    return [...this.#informers.values()].every((informer) => informer.hasSynced);
  }

  async waitForSync(signal?: AbortSignal): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer.waitForSync(signal)));
  }

  /** Resolves once every informer has stopped. */
  async stopped(): Promise<void> {
    await Promise.all(this.#runs);
  }
}

/** Drops fields that no controller reads and that are up to half of the size of an object. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (!object.metadata.managedFields) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
