import { eventType, type KubeObject, keyOf, parseKey } from '@fairlead/apimachinery';
import { type Clock, type Logger, Reflector, type ReflectorSink } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import { forgiving } from '../forgiving.ts';

/** How long an event is kept after its last write. */
export const eventLifeMs = 60 * 60_000;
/** How many expired events are deleted at a time. */
const batch = 50;

interface EventObject extends KubeObject {
  lastTimestamp?: string | null;
  eventTime?: string | null;
}

const writtenAt = ({ metadata, lastTimestamp, eventTime }: EventObject): number =>
  Date.parse(lastTimestamp || eventTime || metadata.creationTimestamp || '') || 0;

/** Expiry times of events, in order. As all have the same lifetime, that is the order of their last writes. */
export class Expiries {
  readonly #ends = new Map<string, { readonly uid: string; readonly at: number }>();

  /** `now` is the time of the write, as far as it is known. */
  set(key: string, uid: string, at: number): void {
    this.#ends.delete(key);
    this.#ends.set(key, { uid, at });
  }

  delete(key: string): void {
    this.#ends.delete(key);
  }

  next(): number | undefined {
    return this.#ends.values().next().value?.at;
  }

  /** Removes the expired ones. */
  takeEnded(now: number, most: number): { key: string; uid: string }[] {
    const ended: { key: string; uid: string }[] = [];
    for (const [key, { uid, at }] of this.#ends) {
      if (at > now || ended.length === most) break;
      ended.push({ key, uid });
    }
    for (const { key } of ended) this.#ends.delete(key);
    return ended;
  }
}

/** Deletes expired events. Only the name and expiry time of an event are stored. */
export class EventReaper implements ReflectorSink<EventObject> {
  readonly #clock: Clock;
  readonly #remove: (key: string, uid: string) => Promise<unknown>;
  readonly #log: Logger;
  readonly #expiries = new Expiries();
  #cancel = () => {};
  #timerAt = Number.POSITIVE_INFINITY;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(clock: Clock, log: Logger, remove: (key: string, uid: string) => Promise<unknown>) {
    this.#clock = clock;
    this.#log = log;
    this.#remove = remove;
  }

  replace(events: readonly EventObject[]): void {
    const now = this.#clock.now();
    const oldestFirst = [...events].sort((a, b) => writtenAt(a) - writtenAt(b));
    for (const event of oldestFirst) this.#note(event, Math.min(now, writtenAt(event)) + eventLifeMs);
    this.#setTimer();
  }

  seen(event: EventObject): void {
    this.#note(event, this.#clock.now() + eventLifeMs);
    this.#setTimer();
  }

  gone(event: EventObject): void {
    this.#expiries.delete(keyOf(event));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#working;
  }

  #note(event: EventObject, at: number): void {
    this.#expiries.set(keyOf(event), event.metadata.uid ?? '', at);
  }

  #setTimer(): void {
    const next = this.#expiries.next();
    if (next === undefined || next >= this.#timerAt || this.#stopped) return;
    this.#cancel();
    this.#timerAt = next;
    this.#cancel = this.#clock.after(Math.max(0, next - this.#clock.now()), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      const ended = this.#expiries.takeEnded(this.#clock.now(), batch);
      this.#working = Promise.all(ended.map(({ key, uid }) => this.#remove(key, uid))).then(
        () => this.#setTimer(),
        (error: unknown) => this.#log.warn('old events could not be deleted', { error }),
      );
    });
  }
}

export const eventExpiry: MakeController = (parts) => {
  const client = parts.client('event-expiry');
  return {
    async run(signal) {
      const reaper = new EventReaper(parts.clock, parts.log, (key, uid) =>
        forgiving(client.delete(eventType, parseKey(key), { preconditions: { uid } })),
      );
      await new Reflector<EventObject>(client, eventType, {}, reaper, parts).run(signal);
      await reaper.stop();
    },
  };
};
