import type { OwnerReference } from '@fairlead/apimachinery';
import type { Propagation } from '@fairlead/kube';

/** The state of one owner of an object. */
export type OwnerState = 'there' | 'absent' | 'waiting-for-dependents';

export type Collection =
  | { readonly kind: 'keep' }
  /** It has other owners: only these references are removed. */
  | { readonly kind: 'drop-owners'; readonly owners: readonly string[] }
  | { readonly kind: 'delete'; readonly propagation: Propagation; readonly unblock: boolean };

export interface Collected {
  readonly finalizers: readonly string[];
  readonly owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[];
  readonly hasDependents: boolean;
  /** A dependent waits for its own dependents: owner and dependent may wait for each other. */
  readonly dependentsWait: boolean;
}

/** The action for an object, by the state of its owners. */
export function decideCollection({ finalizers, owners, hasDependents, dependentsWait }: Collected): Collection {
  if (owners.length === 0) return { kind: 'keep' };
  const inState = (state: OwnerState) => owners.filter((owner) => owner.state === state);
  const leaving = owners.filter(({ state }) => state !== 'there').map(({ reference }) => reference.uid);
  if (inState('there').length > 0) {
    return leaving.length === 0 ? { kind: 'keep' } : { kind: 'drop-owners', owners: leaving };
  }
  if (inState('waiting-for-dependents').length > 0 && hasDependents) {
    return { kind: 'delete', propagation: 'Foreground', unblock: dependentsWait };
  }
  const propagation = finalizers.includes('orphan')
    ? 'Orphan'
    : finalizers.includes('foregroundDeletion')
      ? 'Foreground'
      : 'Background';
  return { kind: 'delete', propagation, unblock: false };
}
