import { decideDelete, decideUpsert, shownState } from './mirror.ts';
import { hasTaken, takeOperation } from './operation.ts';
import { mustSend, planResync } from './resync.ts';
import { withStatusOf } from './status.ts';

/**
 * All decisions that a link makes, as one table of pure functions: the shell reads state, asks one of these, and carries out what it
 * says. Tests put a wrong one in its place to see that it is found out.
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
