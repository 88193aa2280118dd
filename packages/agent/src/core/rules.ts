import { decideDelete, decideUpsert, shownState } from './mirror.ts';
import { hasTaken, takeOperation } from './operation.ts';
import { mustSend, planResync } from './resync.ts';
import { withStatusOf } from './status.ts';

/**
 * All decisions of a link, as one table of pure functions: the shell reads state, calls one of these, and carries out the decision.
 * Tests replace one by a wrong one to check that the simulation detects it.
 */
export interface Rules {
  readonly decideUpsert: typeof decideUpsert;
  readonly decideDelete: typeof decideDelete;
  readonly shownState: typeof shownState;
  readonly planResync: typeof planResync;
  readonly mustSend: typeof mustSend;
  readonly withStatusOf: typeof withStatusOf;
  readonly takeOperation: typeof takeOperation;
  readonly hasTaken: typeof hasTaken;
  /** Whether an object of a name is the one that a message is about. */
  readonly isSame: (uid: string | undefined, of: string) => boolean;
}

export const rules: Rules = {
  decideUpsert,
  decideDelete,
  shownState,
  planResync,
  mustSend,
  withStatusOf,
  takeOperation,
  hasTaken,
  isSame: (uid, of) => uid === of,
};
