import type { Random } from '@fairlead/kube';
import type { MirroredKind } from './kinds.ts';

/** Something that the peer is to be told about. What is said of it is read when it is sent, never kept. */
export type Subject =
  /** The source: what this uid is now, or that it is no more. */
  | { readonly about: 'state'; readonly kind: MirroredKind; readonly name: string; readonly uid: string }
  /** The mirror: it is gone here. */
  | { readonly about: 'gone'; readonly kind: MirroredKind; readonly name: string; readonly uid: string }
  /** The mirror: is what I have what you have? */
  | { readonly about: 'verify'; readonly kind: MirroredKind; readonly name: string; readonly uid: string }
  | { readonly about: 'status'; readonly name: string; readonly uid: string }
  | { readonly about: 'operation'; readonly name: string; readonly uid: string }
  /** The mirror: the same about many, which are kept under this id until the source has heard. */
  | { readonly about: 'verify-batch'; readonly uid: string }
  | { readonly about: 'list' }
  | { readonly about: 'resync' };

export interface Entry {
  readonly subject: Subject;
  /** Of the newest that is to be said: an answer to an older number takes nothing away. */
  readonly number: number;
  readonly tries: number;
  /** When it is sent again; undefined while it waits for its first time. */
  readonly dueAt?: number;
  /** What was said under the number: said again, it must be the same. */
  readonly version?: string;
  /** The traceparent of what is said. */
  readonly trace?: string;
}

export interface OutboxOptions {
  readonly random: Random;
  /** More subjects than this are not kept: everything is compared instead. */
  readonly limit?: number;
  readonly firstRetryMs?: number;
  readonly lastRetryMs?: number;
  readonly refusedRetryMs?: number;
  /** Hears of each subject that comes in (with its entry) or leaves (without). */
  readonly onChange?: (key: string, entry: Entry | undefined) => void;
}

export const keyOfSubject = (subject: Subject): string =>
  'uid' in subject ? `${subject.about} ${subject.uid}` : subject.about;

/**
 * What the peer has still to be told, one entry a subject.
 *
 * - An entry leaves only when the peer has answered its very number; telling it anew gives it a new one.
 * - It is sent again after 1 s, 2 s, … 2 min with jitter, forever, and at once after a reconnect.
 * - It is bounded: what comes when it is full is left out, and once half of what there is has been answered all is compared, which
 *   finds it again. Only what a comparison would not find goes in all the same: operations, of which an Application has one.
 */
export class Outbox {
  readonly #entries = new Map<string, Entry>();
  /** Keys to be sent now, in the order they came. */
  readonly #ready = new Set<string>();
  /** Keys that were sent and wait for an answer. */
  readonly #sent = new Set<string>();
  /** Keys of what the peer cannot take: they wait longer, and take nobody's place. */
  readonly #parked = new Set<string>();
  /** Keys of operations and requests to compare: they go in always, and take nobody's place either. */
  readonly #always = new Set<string>();
  readonly #byNumber = new Map<number, string>();
  readonly #options: Required<Omit<OutboxOptions, 'onChange'>> & Pick<OutboxOptions, 'onChange'>;
  readonly #longestMs: number;
  #numbers = 0;
  #overflows = 0;
  /** Something was left out since all was last compared. */
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

  /** Entries that have been sent and not answered. */
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

  /** The next to be sent, if any. It counts as sent from now on. */
  take(now: number): Entry | undefined {
    const [key] = this.#ready;
    if (key === undefined) return undefined;
    this.#ready.delete(key);
    this.#sent.add(key);
    const entry = this.#entries.get(key)!;
    const { firstRetryMs, lastRetryMs, random } = this.#options;
    const wait = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(entry.tries, 20));
    const next = { ...entry, tries: entry.tries + 1, dueAt: now + wait * (1 + random() / 2) };
    this.#entries.set(key, next);
    return next;
  }

  /** The peer has dealt with this number. Says what it was about, unless it has been told anew since. */
  acknowledged(number: number): Subject | undefined {
    const key = this.#byNumber.get(number);
    if (key === undefined) return undefined;
    return this.#remove(key);
  }

  /** The peer cannot take it. It is tried again, seldom; says what it was about, unless it has been told anew since. */
  refused(number: number, now: number): Subject | undefined {
    const key = this.#byNumber.get(number);
    if (key === undefined) return undefined;
    const entry = this.#entries.get(key)!;
    this.#ready.delete(key);
    this.#sent.delete(key);
    this.#parked.add(key);
    this.#entries.set(key, { ...entry, dueAt: now + this.#options.refusedRetryMs * (1 + this.#options.random() / 2) });
    this.#catchUp();
    return entry.subject;
  }

  /** The number under which this version is said: that of the last time when it is the same, a new one when it is not. */
  numberFor(entry: Entry, version: string): number {
    const key = keyOfSubject(entry.subject);
    const known = this.#entries.get(key)!;
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

  /** Whether the entry is still what is to be said. */
  isCurrent({ subject, number }: Entry): boolean {
    return this.#entries.get(keyOfSubject(subject))?.number === number;
  }

  /** There is nothing to say about it any more. */
  cancel(subject: Subject): void {
    if (this.has(subject)) this.#remove(keyOfSubject(subject));
  }

  /** There is nothing to say any more. */
  drop({ subject, number }: Entry): void {
    const key = keyOfSubject(subject);
    if (this.#entries.get(key)?.number === number) this.#remove(key);
  }

  /** Makes ready what is due again. */
  wake(now: number): void {
    for (const key of [...this.#sent, ...this.#parked]) {
      const wait = this.#entries.get(key)!.dueAt! - now;
      // More than any wait there is: the clock was set back meanwhile.
      if (wait > 0 && wait <= this.#longestMs) continue;
      this.#sent.delete(key);
      this.#parked.delete(key);
      this.#ready.add(key);
    }
  }

  /** How long until the next one that was sent is due again. */
  nextDueIn(now: number): number | undefined {
    let next: number | undefined;
    for (const key of [...this.#sent, ...this.#parked]) {
      const { dueAt } = this.#entries.get(key)!;
      if (next === undefined || dueAt! < next) next = dueAt;
    }
    return next === undefined ? undefined : Math.min(this.#longestMs, Math.max(0, next - now));
  }

  /** On a new connection everything is sent at once, and waits as if for the first time. */
  reconnected(): void {
    for (const [key, entry] of this.#entries) {
      const { dueAt: _, ...rest } = entry;
      this.#entries.set(key, { ...rest, tries: 0 });
      this.#ready.add(key);
    }
    this.#sent.clear();
    this.#parked.clear();
  }

  #remove(key: string): Subject {
    const { subject, number } = this.#entries.get(key)!;
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

  /** What the peer cannot take leaves room for what it can, up to as much again. */
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

  /** There is room again: what was left out is found by comparing. */
  #catchUp(): void {
    if (!this.#incomplete || this.#active > this.#options.limit / 2) return;
    this.#incomplete = false;
    this.enqueue({ about: 'list' });
    this.enqueue({ about: 'resync' });
  }
}

const isKept = ({ about }: Subject): boolean => about === 'list' || about === 'resync' || about === 'operation';
