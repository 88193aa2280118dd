import { capUpdaters } from './cap-managers.ts';
import { isSame } from './compare.ts';
import { difference, union } from './field-set.ts';
import { identify, type Managers } from './managers.ts';
import { type Change, Changes, fitManagers, takeOver } from './ownership.ts';
import { unownable } from './reset-fields.ts';

export interface Booking extends Change {
  readonly manager: string;
  readonly subresource: string;
  readonly now: string;
}

/**
 * Books a change to one manager: it owns what it set or changed, beside what it owned before; all others lose that and what is gone. Its
 * time moves only if it came to set something. An update never conflicts.
 */
export function bookUpdate(managers: Managers, booking: Booking): Managers {
  const { before, after, convert, now } = booking;
  const fitted = fitManagers(managers, before, convert);
  const changes = new Changes(booking);
  const change = changes.in(after.apiVersion);
  if (!change || isSame(change)) return fitted;
  const left = takeOver(fitted, '', changes, true);
  const set = difference(union(change.modified, change.added), unownable);
  if (set.size > 0) {
    const self = {
      name: booking.manager || 'unknown',
      operation: 'Update',
      apiVersion: after.apiVersion,
      subresource: booking.subresource,
    } as const;
    const id = identify(self);
    const previous = left.get(id);
    left.set(id, {
      ...self,
      fields: previous ? union(previous.fields, set) : set,
      time: now,
      source: previous?.source,
    });
  }
  return capUpdaters(left);
}
