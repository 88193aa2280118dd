import type { Clock, Logger } from '@fairlead/kube';
import { kindInfo } from '../core/kinds.ts';
import { type Entry, keyOfSubject, type Subject } from '../core/outbox.ts';
import { readTraceparent } from '../core/trace.ts';

/** Where a journal is kept. */
export interface JournalFile {
  /** What it holds; undefined when there is none. */
  read(): string | undefined;
  append(text: string): Promise<void>;
  /** All at once, or not at all. */
  replace(text: string): Promise<void>;
}

/** What of an entry outlives the process: whom it is about, and since which change. */
export type Kept = Pick<Entry, 'subject' | 'trace'>;

/** So long changes are gathered: what is told and answered meanwhile, and so nearly all of it, costs no line. */
const gatherMs = 500;
/** So many lines more than there are subjects, and it is written anew. */
const spareLines = 1_000;

/**
 * The subjects of one outbox in a file, a line for each that came and each that left.
 *
 * - It holds no states, numbers or answers: a subject is looked up when it is told, under a new number of a new epoch. So one that is
 *   long settled, or comes out of an old copy of the file, costs a message and changes nothing.
 * - What is missing is found by comparing both sides. So whatever cannot be read is passed over, and no write is waited for.
 */
export class OutboxJournal {
  readonly #file: JournalFile;
  readonly #head: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** By key, the line of what the file says is to be told. */
  readonly #lines = new Map<string, string>();
  readonly #changed = new Map<string, Entry | undefined>();
  /** Lines in the file; unknown until it has been written whole. */
  #length = Number.POSITIVE_INFINITY;
  #due = false;
  #writing: Promise<void> = Promise.resolve();

  /** `owner` names the link: a file of another one is none. */
  constructor(file: JournalFile, owner: string, clock: Clock, log: Logger) {
    this.#file = file;
    this.#head = `${JSON.stringify({ outbox: 1, of: owner })}\n`;
    this.#clock = clock;
    this.#log = log;
  }

  /** What was still to be told when the file was last written. */
  load(): Kept[] {
    const [head, ...lines] = this.#read().split(/(?<=\n)/u);
    if (head !== this.#head) return [];
    const kept = new Map<string, Kept>();
    for (const line of lines) {
      const { tell, told, trace } = parse(line) as { tell?: unknown; told?: unknown; trace?: unknown };
      if (typeof told === 'string') kept.delete(told);
      else if (isSubject(tell)) {
        const traceparent = readTraceparent(typeof trace === 'string' ? trace : undefined);
        kept.set(keyOfSubject(tell), { subject: tell, ...(traceparent ? { trace: traceparent } : {}) });
      }
    }
    return [...kept.values()];
  }

  /** A subject has come into the outbox, or has left it. */
  note(key: string, entry: Entry | undefined): void {
    if (entry && !isSubject(entry.subject)) return;
    this.#changed.set(key, entry);
    this.#writeLater();
  }

  /** Writes at once what was to be written later. */
  async written(): Promise<void> {
    await this.#writing;
    if (this.#changed.size > 0) await this.#write();
  }

  #writeLater(): void {
    if (this.#due) return;
    this.#due = true;
    this.#clock.after(gatherMs, () => {
      void this.#write().then(() => {
        this.#due = false;
        if (this.#changed.size > 0) this.#writeLater();
      });
    });
  }

  /** One after the other. */
  #write(): Promise<void> {
    this.#writing = this.#writing
      .then(() => this.#writeChanges())
      .catch((error: unknown) => {
        // Nobody knows what the file has now: next time all of it is written.
        this.#length = Number.POSITIVE_INFINITY;
        this.#log.warn('the outbox could not be written down', { reason: (error as Error).message });
      });
    return this.#writing;
  }

  async #writeChanges(): Promise<void> {
    let text = '';
    let count = 0;
    for (const [key, entry] of this.#changed) {
      const line = entry && `${JSON.stringify({ tell: entry.subject, trace: entry.trace })}\n`;
      if (line === undefined ? !this.#lines.delete(key) : this.#lines.get(key) === line) continue;
      if (line !== undefined) this.#lines.set(key, line);
      text += line ?? `${JSON.stringify({ told: key })}\n`;
      count += 1;
    }
    this.#changed.clear();
    if (this.#length + count > this.#lines.size + spareLines) {
      const whole = this.#head + [...this.#lines.values()].join('');
      this.#length = Number.POSITIVE_INFINITY;
      await this.#file.replace(whole);
      this.#length = this.#lines.size;
    } else if (count > 0) {
      await this.#file.append(text);
      this.#length += count;
    }
  }

  #read(): string {
    try {
      return this.#file.read() ?? '';
    } catch (error) {
      this.#log.warn('the outbox of the last run cannot be read', { reason: (error as Error).message });
      return '';
    }
  }
}

function parse(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const ofObjects = new Set(['state', 'gone', 'verify']);
const ofApplications = new Set(['status', 'operation']);

/** Only these are kept: all is compared, and so asked for, on every connect. */
function isSubject(value: unknown): value is Subject {
  const { about, kind, name, uid } = (value ?? {}) as Record<string, unknown>;
  if (typeof about !== 'string' || typeof name !== 'string' || typeof uid !== 'string') return false;
  return (
    ofApplications.has(about) || (ofObjects.has(about) && typeof kind === 'string' && Object.hasOwn(kindInfo, kind))
  );
}
