type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (object: JsonObject, name: string): Json => (Object.hasOwn(object, name) ? object[name] : undefined);

/**
 * The changes from `before` to `after`: nested objects are compared, other values replaced, null removes. Undefined if `after` sets a
 * null, which a delta cannot express.
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

/** The size of the objects that are kept for one direction of one stream, in characters. */
const limit = 256 * 1024;

/**
 * The objects that were last sent in one direction of a stream. Both sides keep the same ones, because that depends only on the order of
 * messages on the stream. If they differ all the same, the receiver requests the whole object.
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
