import { isConflict } from '@fairlead/apimachinery';
import { type Outcome, requeueAfter } from '@fairlead/kube';

/** Usually long enough for the watch to deliver the newer object. */
const requeueMs = 50;

/**
 * A write that was refused because its object has changed is not a failure: the next reconcile decides on the newer object. The key is
 * requeued in addition to the watch, which may have delivered the change already.
 */
export async function requeueOnConflict(reconcile: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await reconcile();
  } catch (error) {
    if (isConflict(error)) return requeueAfter(requeueMs);
    throw error;
  }
}
