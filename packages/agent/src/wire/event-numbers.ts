import type { CloudEvent } from './cloud-event.ts';
import type { EventIds } from './event-writer.ts';

export interface Sequence {
  readonly epoch: string;
  readonly number: number;
}

/** The epoch and number that a Fairlead sender gave an event; undefined for other events. */
export function sequenceOf(attributes: CloudEvent['attributes']): Sequence | undefined {
  const [, epoch = '', digits = ''] = /^(.*):(\d+)$/u.exec(attributes['sequence'] ?? '') ?? [];
  return epoch === '' ? undefined : { epoch, number: Number(digits) };
}

/** An event that is processed later is sent again, and gets another number: old ones can be dropped. */
const limit = 20_000;

/** Numbers for events that have none, and the ids by which their sender knows them. */
export class EventNumbers {
  readonly #ids = new Map<number, EventIds>();
  #last = 0;

  assign({ eventid = '', resourceid = '' }: CloudEvent['attributes']): number {
    this.#last += 1;
    this.#ids.set(this.#last, { eventid, resourceid });
    const [oldest] = this.#ids.keys();
    if (oldest !== undefined && this.#ids.size > limit) this.#ids.delete(oldest);
    return this.#last;
  }

  /** The ids of a number that is acknowledged now; undefined if the sender numbered the event itself. */
  take(number: number): EventIds | undefined {
    const ids = this.#ids.get(number);
    this.#ids.delete(number);
    return ids;
  }
}
