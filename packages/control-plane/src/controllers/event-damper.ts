import type { KubeObject } from '@fairlead/apimachinery';

/** From this number of different messages with one reason about one object, events are combined. */
const combineFrom = 10;
const groupForgottenMs = 10 * 60_000;
/** Token bucket for events about one object: its size and refill interval. */
const burst = 25;
const refillMs = 5 * 60_000;
const remembered = 4096;

interface Group {
  readonly messages: Set<string>;
  last: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Limits the writes for a flood of events about one object, by the rules of Kubernetes components. */
export class EventDamper {
  readonly #groups = new Map<string, Group>();
  readonly #buckets = new Map<string, Bucket>();

  /** The message to write, and whether it combines several events; undefined when the rate limit is exceeded. */
  admit(
    object: KubeObject,
    type: string,
    reason: string,
    message: string,
    now: number,
  ): { readonly message: string; readonly combined: boolean } | undefined {
    const { uid, namespace = '', name } = object.metadata;
    const subject = [object.kind, namespace, name, uid].join('\u0000');
    const combined = this.#isOneOfMany([subject, type, reason].join('\u0000'), message, now);
    if (!this.#take(subject, now)) return undefined;
    return { message: combined ? `(combined from similar events): ${message}` : message, combined };
  }

  #isOneOfMany(key: string, message: string, now: number): boolean {
    let group = this.#groups.get(key);
    if (!group || now - group.last > groupForgottenMs) group = { messages: new Set(), last: now };
    group.last = now;
    keep(this.#groups, key, group);
    if (group.messages.has(message)) return group.messages.size >= combineFrom;
    if (group.messages.size >= combineFrom - 1) return true;
    group.messages.add(message);
    return false;
  }

  #take(subject: string, now: number): boolean {
    const bucket = this.#buckets.get(subject) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / refillMs);
    bucket.at = now;
    keep(this.#buckets, subject, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

/** The least recently used one is dropped first. */
function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > remembered) map.delete(map.keys().next().value!);
}
