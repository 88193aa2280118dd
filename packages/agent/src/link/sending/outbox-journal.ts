import { isJsonObject, messageOf } from '@fairlead/apimachinery';
import type { Clock, Logger } from '@fairlead/kube';
import { kindInfo } from '../../core/kinds.ts';
import { type Entry, keyOfSubject, type Subject } from '../../core/outbox.ts';
import { readTraceparent } from '../../core/trace.ts';

/** The storage of a journal. */
export interface JournalFile {
  /** Its content; undefined when it does not exist. */
  read(): string | undefined;
  append(text: string): Promise<void>;
  /** Replaces the whole content atomically. */
  replace(text: string): Promise<void>;
}

/** The part of an entry that outlives the process: its subject, and the trace of the change. */
export type SavedEntry = Pick<Entry, 'subject' | 'trace'>;

/** Keys of the lines in the file. Files of older versions have them, so they stay. */
const addedKey = 'tell';
const removedKey = 'told';

/** Changes are collected for this long: an entry that is sent and acknowledged meanwhile, as nearly all are, is not written. */
const collectMs = 500;
/** The file is rewritten when it has this many lines more than there are subjects. */
const spareLines = 1_000;

/**
 * The subjects of one outbox in a file, a line for each that was added and each that was removed.
 *
 * - It holds no states and no numbers: a subject is read when it is sent, under a new number of a new epoch. So a subject that was
 *   acknowledged long ago, or comes from an old copy of the file, costs a message and changes nothing.
 * - A resync finds what is missing. So lines that cannot be read are ignored, and nothing waits for a write.
 */
export class OutboxJournal {
  readonly #file: JournalFile;
  readonly #head: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** By key, the line of each subject that is pending according to the file. */
  readonly #lines = new Map<string, string>();
  readonly #changed = new Map<string, Entry | undefined>();
  /** Lines in the file; unknown until the whole file has been written. */
  #length = Number.POSITIVE_INFINITY;
  #due = false;
  #writing: Promise<void> = Promise.resolve();

  /** `owner` names the link: the file of another link is ignored. */
  constructor(file: JournalFile, owner: string, clock: Clock, log: Logger) {
    this.#file = file;
    this.#head = `${JSON.stringify({ outbox: 1, of: owner })}\n`;
    this.#clock = clock;
    this.#log = log;
  }

  /** The pending subjects when the file was last written. */
  load(): SavedEntry[] {
    const [head, ...lines] = this.#read().split(/(?<=\n)/u);
    if (head !== this.#head) return [];
    const saved = new Map<string, SavedEntry>();
    for (const line of lines) {
      const { [addedKey]: subject, [removedKey]: removed, trace } = parse(line);
      if (typeof removed === 'string') saved.delete(removed);
      else if (isSubject(subject)) {
        const traceparent = readTraceparent(typeof trace === 'string' ? trace : undefined);
        saved.set(keyOfSubject(subject), { subject, ...(traceparent ? { trace: traceparent } : {}) });
      }
    }
    return [...saved.values()];
  }

  /** A subject was added to the outbox, or removed from it. */
  note(key: string, entry: Entry | undefined): void {
    if (entry && !isSubject(entry.subject)) return;
    this.#changed.set(key, entry);
    this.#writeLater();
  }

  /** Writes the collected changes now. */
  async written(): Promise<void> {
    await this.#writing;
    if (this.#changed.size > 0) await this.#write();
  }

  #writeLater(): void {
    if (this.#due) return;
    this.#due = true;
    this.#clock.after(collectMs, () => {
      void this.#write().then(() => {
        this.#due = false;
        if (this.#changed.size > 0) this.#writeLater();
      });
    });
  }

  /** Writes do not overlap. */
  #write(): Promise<void> {
    this.#writing = this.#writing
      .then(() => this.#writeChanges())
      .catch((error: unknown) => {
        // The content of the file is unknown now: next time all of it is written.
        this.#length = Number.POSITIVE_INFINITY;
        this.#log.warn('cannot write the outbox journal', { reason: messageOf(error) });
      });
    return this.#writing;
  }

  async #writeChanges(): Promise<void> {
    let text = '';
    let count = 0;
    for (const [key, entry] of this.#changed) {
      const line = entry && `${JSON.stringify({ [addedKey]: entry.subject, trace: entry.trace })}\n`;
      if (line === undefined ? !this.#lines.delete(key) : this.#lines.get(key) === line) continue;
      if (line !== undefined) this.#lines.set(key, line);
      text += line ?? `${JSON.stringify({ [removedKey]: key })}\n`;
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
      this.#log.warn('cannot read the outbox journal of the last run', { reason: messageOf(error) });
      return '';
    }
  }
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

const ofObjects = new Set(['state', 'gone', 'verify']);
const ofApplications = new Set(['status', 'operation']);

/** Only these are saved: a resync on every connect finds the rest. */
function isSubject(value: unknown): value is Subject {
  if (!isJsonObject(value)) return false;
  const { about, kind, name, uid } = value;
  if (typeof about !== 'string' || typeof name !== 'string' || typeof uid !== 'string') return false;
  return (
    ofApplications.has(about) || (ofObjects.has(about) && typeof kind === 'string' && Object.hasOwn(kindInfo, kind))
  );
}
