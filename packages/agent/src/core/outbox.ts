import { must } from '@fairlead/apimachinery';
import type { Random } from '@fairlead/kube';
import type { MirroredKind } from './kinds.ts';

/** The subject of a message to the peer. Its content is read when it is sent, and never stored. */
export type Subject =
  /** From the source: the present state of this uid, or that it does not exist. */
  | { readonly about: 'state'; readonly kind: MirroredKind; readonly name: string; readonly uid: string }
  /** From the mirror: the object no longer exists here. */
  | { readonly about: 'gone'; readonly kind: MirroredKind; readonly name: string; readonly uid: string }
  /** From the mirror: asks whether its copy is current. */
  | { readonly about: 'verify'; readonly kind: MirroredKind; readonly name: string; readonly uid: string }
  | { readonly about: 'status'; readonly name: string; readonly uid: string }
  | { readonly about: 'operation'; readonly name: string; readonly uid: string }
  /** From the mirror: the same for many objects, which are held under this id until the source acknowledges. */
  | { readonly about: 'verify-batch'; readonly uid: string }
  | { readonly about: 'list' }
  | { readonly about: 'resync' };

export interface Entry {
  readonly subject: Subject;
  /** The number of the newest message about the subject: acknowledging an older number removes nothing. */
  readonly number: number;
  readonly tries: number;
  /** When it is sent again; undefined before it is first sent. */
  readonly dueAt?: number;
  /** The version that was sent under the number: a retry must send the same one. */
  readonly version?: string;
  /** The traceparent of the message. */
  readonly trace?: string;
}

export interface OutboxOptions {
  readonly random: Random;
  /** Subjects beyond this number are dropped, and a resync finds them later. */
  readonly limit?: number;
  readonly firstRetryMs?: number;
  readonly lastRetryMs?: number;
  readonly refusedRetryMs?: number;
  /** Called for each subject that is added (with its entry) or removed (without). */
  readonly onChange?: (key: string, entry: Entry | undefined) => void;
}

export const keyOfSubject = (subject: Subject): string =>
  'uid' in subject ? `${subject.about} ${subject.uid}` : subject.about;

/**
 * The subjects that the peer has not acknowledged yet, one entry for each.
 *
 * - An entry is removed only when the peer acknowledges its current number; enqueueing the subject again gives it a new number.
 * - It is sent again after 1 s, 2 s, … 2 min with jitter, forever, and immediately after a reconnect.
 * - It is bounded: a subject that does not fit is dropped, and once half of the entries are acknowledged a resync finds it again.
 *   Operations are always added, because a resync would not find them; an Application has at most one.
 */
export class Outbox {
  readonly #entries = new Map<string, Entry>();
  /** Keys to send now, in the order in which they were enqueued. */
  readonly #ready = new Set<string>();
  /** Keys that were sent and are not acknowledged. */
  readonly #sent = new Set<string>();
  /** Keys that the peer refused: they are retried less often, and do not count against the limit. */
  readonly #parked = new Set<string>();
  /** Keys of operations and resync requests: they are always added, and do not count against the limit. */
  readonly #always = new Set<string>();
  readonly #byNumber = new Map<number, string>();
  readonly #options: Required<Omit<OutboxOptions, 'onChange'>> & Pick<OutboxOptions, 'onChange'>;
  readonly #longestMs: number;
  #numbers = 0;
  #overflows = 0;
  /** A subject was dropped since the last resync. */
  #incomplete = false;

  constructor(options: OutboxOptions) {
    this.#options = { limit: 100_000, firstRetryMs: 1_000, lastRetryMs: 120_000, refusedRetryMs: 60_000, ...options };
    this.#longestMs = Math.max(this.#options.lastRetryMs, this.#options.refusedRetryMs) * 1.5;
  }

  get size(): number {
    return this.#entries.size;
  }

  get overflows(): number {
    return this.#overflows;
  }

  /** Entries that were sent and are not acknowledged. */
  get inFlight(): number {
    return this.#sent.size;
  }

  *subjects(): Iterable<Subject> {
    for (const { subject } of this.#entries.values()) yield subject;
  }

  has(subject: Subject): boolean {
    return this.#entries.has(keyOfSubject(subject));
  }

  nextNumber(): number {
    return (this.#numbers += 1);
  }

  enqueue(subject: Subject, trace?: string): void {
    const key = keyOfSubject(subject);
    const known = this.#entries.get(key);
    if (known) this.#byNumber.delete(known.number);
    else if (this.#isFull() && !isKept(subject)) return this.#leaveOut();
    const number = this.nextNumber();
    const entry: Entry = { subject, number, tries: 0, ...(trace === undefined ? {} : { trace }) };
    this.#entries.set(key, entry);
    if (!known) this.#options.onChange?.(key, entry);
    if (isKept(subject)) this.#always.add(key);
    this.#byNumber.set(number, key);
    this.#sent.delete(key);
    this.#parked.delete(key);
    this.#ready.add(key);
  }

  /** The next entry to send, if any. It counts as sent. */
  take(now: number): Entry | undefined {
    const [key] = this.#ready;
    if (key === undefined) return undefined;
    this.#ready.delete(key);
    this.#sent.add(key);
    const entry = this.#entry(key);
    const { firstRetryMs, lastRetryMs, random } = this.#options;
    const wait = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(entry.tries, 20));
    const next = { ...entry, tries: entry.tries + 1, dueAt: now + wait * (1 + random() / 2) };
    this.#entries.set(key, next);
    return next;
  }

  /** The peer has processed this number. Returns its subject, unless that was enqueued again since. */
  acknowledged(number: number): Subject | undefined {
    const key = this.#byNumber.get(number);
    if (key === undefined) return undefined;
    return this.#remove(key);
  }

  /** The peer refuses this number. It is retried seldom. Returns its subject, unless that was enqueued again since. */
  refused(number: number, now: number): Subject | undefined {
    const key = this.#byNumber.get(number);
    if (key === undefined) return undefined;
    const entry = this.#entry(key);
    this.#ready.delete(key);
    this.#sent.delete(key);
    this.#parked.add(key);
    this.#entries.set(key, { ...entry, dueAt: now + this.#options.refusedRetryMs * (1 + this.#options.random() / 2) });
    this.#catchUp();
    return entry.subject;
  }

  /** The number for this version: the last one if the version is the same, otherwise a new one. */
  numberFor(entry: Entry, version: string): number {
    const key = keyOfSubject(entry.subject);
    const known = this.#entry(key);
    if (known.version === undefined || known.version === version) {
      this.#entries.set(key, { ...known, version });
      return known.number;
    }
    this.#byNumber.delete(known.number);
    const number = this.nextNumber();
    this.#entries.set(key, { ...known, number, version });
    this.#byNumber.set(number, key);
    return number;
  }

  /** Whether the subject was not enqueued again since. */
  isCurrent({ subject, number }: Entry): boolean {
    return this.#entries.get(keyOfSubject(subject))?.number === number;
  }

  /** Removes a subject without sending it. */
  cancel(subject: Subject): void {
    if (this.has(subject)) this.#remove(keyOfSubject(subject));
  }

  /** Removes an entry for which there is no message to send. */
  drop({ subject, number }: Entry): void {
    const key = keyOfSubject(subject);
    if (this.#entries.get(key)?.number === number) this.#remove(key);
  }

  /** Makes entries ready that are due again. */
  wake(now: number): void {
    for (const key of [...this.#sent, ...this.#parked]) {
      const wait = (this.#entry(key).dueAt ?? now) - now;
      // Longer than any possible wait: the clock was set back.
      if (wait > 0 && wait <= this.#longestMs) continue;
      this.#sent.delete(key);
      this.#parked.delete(key);
      this.#ready.add(key);
    }
  }

  /** How long until the first sent entry is due again. */
  nextDueIn(now: number): number | undefined {
    let next: number | undefined;
    for (const key of [...this.#sent, ...this.#parked]) {
      const { dueAt } = this.#entry(key);
      if (dueAt !== undefined && (next === undefined || dueAt < next)) next = dueAt;
    }
    return next === undefined ? undefined : Math.min(this.#longestMs, Math.max(0, next - now));
  }

  /** On a new connection every entry is sent immediately, with the shortest retry delay. */
  reconnected(): void {
    for (const [key, entry] of this.#entries) {
      const { dueAt: _, ...rest } = entry;
      this.#entries.set(key, { ...rest, tries: 0 });
      this.#ready.add(key);
    }
    this.#sent.clear();
    this.#parked.clear();
  }

  #entry(key: string): Entry {
    return must(this.#entries.get(key), 'an entry of the outbox');
  }

  #remove(key: string): Subject {
    const { subject, number } = this.#entry(key);
    this.#entries.delete(key);
    this.#ready.delete(key);
    this.#sent.delete(key);
    this.#parked.delete(key);
    this.#always.delete(key);
    this.#byNumber.delete(number);
    this.#options.onChange?.(key, undefined);
    this.#catchUp();
    return subject;
  }

  /** Refused entries may take as much room again, so that they do not block the others. */
  #isFull(): boolean {
    const { limit } = this.#options;
    const all = this.#entries.size - this.#always.size;
    return all >= limit && (all >= 2 * limit || this.#active >= limit);
  }

  get #active(): number {
    let parked = 0;
    for (const key of this.#parked) if (!this.#always.has(key)) parked += 1;
    return this.#entries.size - this.#always.size - parked;
  }

  #leaveOut(): void {
    if (!this.#incomplete) this.#overflows += 1;
    this.#incomplete = true;
  }

  /** There is room again: a resync finds what was dropped. */
  #catchUp(): void {
    if (!this.#incomplete || this.#active > this.#options.limit / 2) return;
    this.#incomplete = false;
    this.enqueue({ about: 'list' });
    this.enqueue({ about: 'resync' });
  }
}

const isKept = ({ about }: Subject): boolean => about === 'list' || about === 'resync' || about === 'operation';
