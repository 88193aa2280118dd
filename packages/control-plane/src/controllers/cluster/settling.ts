import { isConflict } from '@fairlead/apimachinery';
import { type Outcome, type Reconcile, requeueAfter } from '@fairlead/kube';

/** A stale informer catches up within this time. */
export const catchUpMs = 20;

/** A reconcile with a stale cache is repeated, and is not a failure. */
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
