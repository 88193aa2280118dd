import { GoError, type GoValue } from '@fairlead/render/go-template';

/** What expressions and templates read of the source of an Application. */
export type DataRequest = { readonly kind: 'commit'; readonly revision: string } | { readonly kind: 'details' };

/** Thrown by a function of an expression or a template whose data are not loaded yet. */
export class MissingData extends Error {
  readonly request: DataRequest;

  constructor(request: DataRequest) {
    super(`${request.kind} is not loaded yet`);
    this.request = request;
  }
}

export type LoadData = (request: DataRequest) => Promise<GoValue>;

const maxLoads = 20;
const keyOf = (request: DataRequest): string =>
  request.kind === 'commit' ? `commit ${request.revision}` : request.kind;

/**
 * Data of one evaluation. Expressions and templates are evaluated without waiting, so what they miss is loaded in between: `evaluate` runs
 * the work again until nothing is missing. Evaluation has no effects, which makes that safe.
 */
export class LoadedData {
  readonly #load: LoadData;
  readonly #values = new Map<string, GoValue>();
  readonly #errors = new Map<string, string>();

  constructor(load: LoadData) {
    this.#load = load;
  }

  /** The data that a function needs. Throws MissingData if they are not loaded, and GoError if they cannot be. */
  get(request: DataRequest): GoValue {
    const key = keyOf(request);
    const problem = this.#errors.get(key);
    if (problem !== undefined) throw new GoError(problem);
    if (!this.#values.has(key)) throw new MissingData(request);
    return this.#values.get(key);
  }

  async evaluate<T>(work: () => T): Promise<T> {
    for (let loads = 0; ; loads++) {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof MissingData)) throw error;
        if (loads >= maxLoads) throw new Error(`more than ${maxLoads} commits are read`);
        await this.#fetch(error.request);
      }
    }
  }

  async #fetch(request: DataRequest): Promise<void> {
    try {
      this.#values.set(keyOf(request), await this.#load(request));
    } catch (error) {
      this.#errors.set(keyOf(request), error instanceof Error ? error.message : String(error));
    }
  }
}
