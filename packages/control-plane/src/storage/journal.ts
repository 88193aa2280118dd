import type { StorageEvent, Stored } from './storage.ts';

/** A write with a revision that is not durable yet. */
export interface Write {
  readonly resource: string;
  readonly event: StorageEvent;
}

/**
 * Makes writes durable. `append` is called with the next batch only after the last one settled, and after a failure only once `repair` has
 * succeeded.
 */
export interface Journal {
  /** Runs after writers that are ready now, so that they share a batch. */
  soon(run: () => void): void;
  /** Resolves when the batch is durable, rejects if it may not be. */
  append(batch: readonly Write[], content: () => Content): Promise<void>;
  /** After a failure: removes the remains of the failed batch, and resolves if batches can be appended again. */
  repair(): Promise<void>;
  /** The message for writers after a failure. */
  explain(error: unknown): string;
  /** `revision` is the last one that was issued. */
  close(revision: number): Promise<void>;
}

/** Everything that is published before a batch. */
export interface Content {
  readonly revision: number;
  readonly objects: readonly { readonly resource: string; readonly list: readonly Stored[] }[];
}

/** The content of a journal when it was opened. */
export interface Recovered {
  readonly revision: number;
  readonly objects: Iterable<{ readonly resource: string; readonly stored: Stored }>;
}

/** The storage rejects requests: closed, in use, damaged, or not writable. The message is a sentence for a user. */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
  }
}
