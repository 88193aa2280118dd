type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (object: JsonObject, name: string): Json => (Object.hasOwn(object, name) ? object[name] : undefined);

/**
 * What turns `before` into `after`: objects are gone into, everything else is given whole, null takes away. Undefined where that
 * cannot say it, because a null is to be set.
 */
export function deltaOf(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const changes: [string, Json][] = [];
  for (const name of Object.keys(before)) if (own(after, name) === undefined) changes.push([name, null]);
  for (const [name, next] of Object.entries(after)) {
    const known = own(before, name);
    if (next === undefined) continue;
    if (isObject(known) && isObject(next)) {
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

export function applyDelta(before: JsonObject, delta: JsonObject): JsonObject {
  const kept = Object.entries(before).filter(([name]) => own(delta, name) === undefined);
  const changed = Object.entries(delta)
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, Json] => {
      const known = own(before, name);
      return [name, isObject(known) && isObject(value) ? applyDelta(known, value) : value];
    });
  return Object.fromEntries([...kept, ...changed]);
}

/** Kept of one direction of one stream, as the text of the objects. */
const limit = 256 * 1024;

/**
 * The objects that last went over one direction of a stream. Both sides keep the same: a stream has an order, and what is kept depends
 * on nothing but what went over it. Should they differ all the same, the whole object is asked for.
 */
export class DeltaMemory {
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
