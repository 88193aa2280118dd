import { isConflict, isNotFound } from '@fairlead/apimachinery';
import { done, type Outcome, type Reconcile } from '@fairlead/kube';
import { isNamespaceGoing } from './pod-maker.ts';

/**
 * A concurrent change or deletion during a reconcile is reported as an event and triggers the key again, so it is not a failure; in a
 * terminating namespace there is nothing to do.
 */
export function yielding(reconcile: Reconcile): Reconcile {
  return async (key, context): Promise<Outcome> => {
    try {
      return await reconcile(key, context);
    } catch (error) {
      if (isConflict(error) || isNotFound(error) || isNamespaceGoing(error)) return done;
      throw error;
    }
  };
}
