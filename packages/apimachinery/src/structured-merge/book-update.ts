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
 * Books a change to one manager: it owns what it set or changed, in addition to what it owned before; all others lose that and
 * what is gone. Its time moves only if it came to set something. An update never conflicts.
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
