import { isJsonObject } from '@fairlead/apimachinery';
import type { EventData } from './event-data.ts';

const valueAt = (object: EventData, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

/**
 * The changes from `before` to `after`: nested objects are compared, other values replaced, null removes. Undefined if `after` sets a
 * null, which a delta cannot express.
 */
export function deltaOf(before: EventData, after: EventData): EventData | undefined {
  const changes: [string, unknown][] = [];
  for (const name of Object.keys(before)) if (valueAt(after, name) === undefined) changes.push([name, null]);
  for (const [name, next] of Object.entries(after)) {
    const known = valueAt(before, name);
    if (next === undefined) continue;
    if (isJsonObject(known) && isJsonObject(next)) {
      const inner = deltaOf(known, next);
      if (inner === undefined) return undefined;
      if (Object.keys(inner).length > 0) changes.push([name, inner]);
    } else if (JSON.stringify(known) !== JSON.stringify(next)) {
      if (next === null) return undefined;
      changes.push([name, next]);
    }
  }
  return Object.fromEntries(changes);
}

export function applyDelta(before: EventData, delta: EventData): EventData {
  const kept = Object.entries(before).filter(([name]) => valueAt(delta, name) === undefined);
  const changed = Object.entries(delta)
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, unknown] => {
      const known = valueAt(before, name);
      return [name, isJsonObject(known) && isJsonObject(value) ? applyDelta(known, value) : value];
    });
  return Object.fromEntries([...kept, ...changed]);
}

/** The size of the objects that are kept for one direction of one stream, in characters. */
const limit = 256 * 1024;

/**
 * The objects that were last sent in one direction of a stream. Both sides keep the same ones, because that depends only on the order of
 * messages on the stream. If they differ all the same, the receiver requests the whole object.
 */
export class SentObjects {
  readonly #kept = new Map<string, { readonly number: number; readonly text: string }>();
  #length = 0;

  find(subject: string): { readonly number: number; readonly text: string } | undefined {
    return this.#kept.get(subject);
  }

  keep(subject: string, number: number, text: string): void {
    this.forget(subject);
    if (text.length > limit / 4) return;
    this.#kept.set(subject, { number, text });
    this.#length += text.length;
    for (const [oldest] of this.#kept) {
      if (this.#length <= limit) return;
      this.forget(oldest);
    }
  }

  forget(subject: string): void {
    this.#length -= this.#kept.get(subject)?.text.length ?? 0;
    this.#kept.delete(subject);
  }

  forgetNumber(number: number): void {
    for (const [subject, kept] of this.#kept) if (kept.number === number) this.forget(subject);
  }
}
