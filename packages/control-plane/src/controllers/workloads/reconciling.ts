import { isConflict, isNotFound } from '@fairlead/apimachinery';
import { done, type Outcome, type Reconcile } from '@fairlead/kube';
import { isNamespaceGoing } from './pod-maker.ts';

/**
 * What another has changed or removed under the hands of a reconcile comes as news and brings the key back by itself, so it is no
 * failure; and in a namespace that is going there is nothing left to do.
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
