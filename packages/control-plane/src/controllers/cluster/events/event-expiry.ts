import { type KubeObject, Reflector } from '@fairlead/kube';
import type { ControllerParts, MakeController, Runnable } from '../../parts.ts';
import { forgiving } from '../forgiving.ts';
import { eventType } from '../kinds.ts';

/** An event lives for so long after it was last written. */
export const eventLifeMs = 60 * 60_000;
/** Events that end together go together, so many at a time. */
const batch = 50;

interface EventObject extends KubeObject {
  lastTimestamp?: string | null;
  eventTime?: string | null;
}

const writtenAt = ({ metadata, lastTimestamp, eventTime }: EventObject): number =>
  Date.parse(lastTimestamp || eventTime || metadata.creationTimestamp || '') || 0;

/** When each event ends, in the order of their ends. As all live equally long, that is the order of their last writes. */
export class Expiries {
  readonly #ends = new Map<string, { readonly uid: string; readonly at: number }>();

  /** `now` is when it was written, as far as anybody knows here. */
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

  /** Takes out what has ended by then. */
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

/** Deletes events when their time is over. What is kept of an event is its name and its end. */
class EventExpiry implements Runnable {
  readonly #parts: ControllerParts;
  readonly #client;
  readonly #expiries = new Expiries();
  #cancel = () => {};
  #timerAt = Number.POSITIVE_INFINITY;
  #working: Promise<void> = Promise.resolve();

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#client = parts.client('event-expiry');
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const sink = {
      replace: (objects: readonly EventObject[]) => {
        const oldestFirst = [...objects].sort((a, b) => writtenAt(a) - writtenAt(b));
        for (const event of oldestFirst) this.#note(event, Math.min(clock.now(), writtenAt(event)) + eventLifeMs);
        this.#setTimer(signal);
      },
      seen: (event: EventObject) => {
        this.#note(event, clock.now() + eventLifeMs);
        this.#setTimer(signal);
      },
      gone: (event: EventObject) => this.#expiries.delete(placeOf(event)),
    };
    await new Reflector<EventObject>(this.#client, eventType, {}, sink, this.#parts).run(signal);
    this.#cancel();
    await this.#working;
  }

  #note(event: EventObject, at: number): void {
    this.#expiries.set(placeOf(event), event.metadata.uid ?? '', at);
  }

  #setTimer(signal: AbortSignal): void {
    const next = this.#expiries.next();
    if (next === undefined || next >= this.#timerAt || signal.aborted) return;
    this.#cancel();
    this.#timerAt = next;
    const wait = Math.max(0, next - this.#parts.clock.now());
    this.#cancel = this.#parts.clock.after(wait, () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#working = this.#deleteEnded().then(
        () => this.#setTimer(signal),
        (error: unknown) => this.#parts.log.warn('old events could not be deleted', { error }),
      );
    });
  }

  async #deleteEnded(): Promise<void> {
    const ended = this.#expiries.takeEnded(this.#parts.clock.now(), batch);
    await Promise.all(
      ended.map(({ key, uid }) => {
        const [namespace, name] = key.split('/') as [string, string];
        return forgiving(this.#client.delete(eventType, { namespace, name }, { preconditions: { uid } }));
      }),
    );
  }
}

const placeOf = ({ metadata }: KubeObject): string => `${metadata.namespace}/${metadata.name}`;

export const eventExpiry: MakeController = (parts) => new EventExpiry(parts);
