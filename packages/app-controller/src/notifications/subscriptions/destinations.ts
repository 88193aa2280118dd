import type { Destination } from '../templates/notification.ts';

/** Destinations by trigger, each once. */
export class Destinations {
  readonly #byTrigger = new Map<string, Map<string, Destination>>();

  add(trigger: string, destination: Destination): void {
    const known = this.#byTrigger.get(trigger) ?? new Map<string, Destination>();
    this.#byTrigger.set(trigger, known);
    known.set(`${destination.service}\n${destination.recipient}`, destination);
  }

  /** Triggers in alphabetical order, each with its destinations. */
  entries(): (readonly [trigger: string, destinations: readonly Destination[]])[] {
    return [...this.#byTrigger]
      .map(([trigger, known]) => [trigger, [...known.values()]] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** Triggers of subscriptions that name none. */
export interface DefaultTriggers {
  readonly all: readonly string[];
  readonly byService: ReadonlyMap<string, readonly string[]>;
}

/** `slack:my-channel`. What follows a second colon is not part of the recipient. */
export function parseRecipient(text: string): Destination {
  const [service = '', recipient = ''] = text.split(':');
  return { service, recipient };
}
