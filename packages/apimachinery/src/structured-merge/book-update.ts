import { capUpdaters } from './cap-managers.ts';
import { isSame } from './compare.ts';
import { union } from './field-set.ts';
import { identify, type Managers } from './managers.ts';
import { type Changes, takeOver } from './ownership.ts';

export interface Booking {
  readonly manager: string;
  readonly subresource: string;
  readonly now: string;
}

/**
 * Records a change by one manager: it owns the fields that it set or changed, in addition to those it owned before; all other managers lose
 * these fields and removed ones. Its time changes only if it set something. An update never conflicts.
 */
export function bookUpdate(managers: Managers, changes: Changes, booking: Booking): Managers {
  const { apiVersion } = changes;
  const fitted = changes.fit(managers);
  const change = changes.own;
  if (isSame(change)) return fitted;
  const left = takeOver(fitted, '', changes, true);
  const set = union(change.modified, change.added);
  if (set.size > 0) {
    const self = {
      name: booking.manager || 'unknown',
      operation: 'Update',
      apiVersion,
      subresource: booking.subresource,
    } as const;
    const id = identify(self);
    const previous = left.get(id);
    left.set(id, {
      ...self,
      fields: previous ? union(previous.fields, set) : set,
      time: booking.now,
      source: previous?.source,
    });
  }
  return capUpdaters(left);
}
