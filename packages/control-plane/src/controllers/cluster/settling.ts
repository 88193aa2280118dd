import { isConflict } from '@fairlead/apimachinery';
import { type Outcome, type Reconcile, requeueAfter } from '@fairlead/kube';

/** An informer that lags behind catches up within this. */
export const catchUpMs = 20;

/** A reconcile that decided on a copy which was already out of date looks again, and nothing has failed. */
export function settling(reconcile: (key: string) => Promise<Outcome>): Reconcile {
  return async (key) => {
    try {
      return await reconcile(key);
    } catch (error) {
      if (isConflict(error)) return requeueAfter(catchUpMs);
      throw error;
    }
  };
}
