import { apiError } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { History, type HistoryLimits } from './history.ts';
import { type Content, type Journal, type Recovered, StorageError, type Write } from './journal.ts';
import { listBefore } from './past-list.ts';
import { PendingWrites } from './pending-writes.ts';
import type { Change, Storage, StorageEvent, Stored } from './storage.ts';
import { StoredText } from './stored-text.ts';
import { Table } from './table.ts';
import { Watchers } from './watchers.ts';

export interface JournaledOptions {
  readonly clock: Clock;
  readonly history?: HistoryLimits;
}

interface Waiting {
  readonly write: Write;
  readonly stored: StoredText;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Reader {
  readonly revision: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The delay before the journal is repaired after a failure, and before a failed repair is retried. */
const repairMs = 1_000;

/**
 * The storage over any journal. The states of a write are issued → pending (visible to `head`) → durable → published (visible to all) →
 * acknowledged, in the order of revisions. If a batch fails, all later writes fail too: they may depend on it. From then on writes are
 * rejected, until the journal is repaired.
 */
export class JournaledStorage implements Storage {
  private readonly journal: Journal;
  private readonly tables = new Map<string, Table>();
  private readonly pending = new PendingWrites();
  private readonly history: History;
  private readonly watchers = new Watchers();
  private queue: Waiting[] = [];
  private flushing: Promise<void> | undefined;
  private issued: number;
  private current: number;
  private readers: Reader[] = [];
  private refused: Error | undefined;
  private readonly clock: Clock;
  private cancelRepair = (): void => {};
  private closing: Promise<void> | undefined;

  constructor(journal: Journal, recovered: Recovered, options: JournaledOptions) {
    this.journal = journal;
    this.clock = options.clock;
    for (const { resource, stored } of recovered.objects) this.table(resource).put(stored);
    this.issued = this.current = recovered.revision;
    this.history = new History(options.clock, recovered.revision, options.history);
  }

  get headRevision(): number {
    return this.issued;
  }

  get revision(): number {
    return this.current;
  }

  get oldest(): number {
    return this.history.oldest;
  }

  get refusal(): Error | undefined {
    return this.refused;
  }

  head(resource: string, namespace: string, name: string): Stored | undefined {
    return this.pending.head(this.tables.get(resource), resource, namespace, name);
  }

  heads(resource: string, namespace?: string): Iterable<Stored> {
    return this.pending.heads(this.tables.get(resource), resource, namespace);
  }

  get(resource: string, namespace: string, name: string): Stored | undefined {
    return this.tables.get(resource)?.get(namespace, name);
  }

  list(resource: string, namespace?: string): readonly Stored[] {
    return this.tables.get(resource)?.list(namespace) ?? [];
  }

  listAt(resource: string, revision: number, namespace?: string): readonly Stored[] | undefined {
    const later = this.history.after(resource, revision);
    return later && listBefore(this.list(resource, namespace), later, namespace);
  }

  commit(change: Change): { revision: number; stored: Stored; durable: Promise<void> } {
    if (this.refused) throw this.refused;
    const { resource, namespace, name } = change;
    const previous = this.head(resource, namespace, name);
    if (change.kind === 'delete' && !previous)
      throw new Error(`${resource} ${namespace}/${name} is not there to delete`);
    const revision = this.issued + 1;
    const object = change.object(revision);
    if (this.issued + 1 !== revision) throw new Error('an object may not commit another while it is being made');
    this.issued = revision;
    const stored = new StoredText(namespace, name, object.metadata.uid ?? '', revision, JSON.stringify(object), object);
    const type = change.kind === 'delete' ? 'DELETED' : previous ? 'MODIFIED' : 'ADDED';
    const event: StorageEvent = previous ? { type, revision, stored, previous } : { type, revision, stored };
    return { revision, stored, durable: this.enqueue({ resource, event }, stored) };
  }

  watch(resource: string, from: number, listener: (event: StorageEvent) => void): { stop(): void } | undefined {
    const missed = this.history.after(resource, from);
    return missed && this.watchers.add(resource, Math.max(from, this.current), listener, missed);
  }

  onPublish(listener: (revision: number) => void): { stop(): void } {
    return this.watchers.onPublish(listener);
  }

  published(revision: number): Promise<void> {
    if (revision <= this.current) return Promise.resolve();
    if (this.refused) return Promise.reject(this.refused);
    return new Promise((resolve, reject) => this.readers.push({ revision, resolve, reject }));
  }

  *resources(): Iterable<string> {
    for (const [resource, table] of this.tables) if (table.size > 0) yield resource;
  }

  /** Pending writes are made durable first. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    this.cancelRepair();
    const closed = new StorageError('the storage is closed');
    this.refused = closed;
    await this.flushing;
    this.watchers.clear();
    for (const { reject } of this.readers.splice(0)) reject(closed);
    await this.journal.close(this.issued);
  }

  private enqueue(write: Write, stored: StoredText): Promise<void> {
    this.pending.add(write);
    const durable = new Promise<void>((resolve, reject) => this.queue.push({ write, stored, resolve, reject }));
    // A writer that does not wait must not crash the process on a disk failure; one that waits still gets the error.
    durable.catch(() => {});
    this.flushing ??= new Promise((done) => {
      this.journal.soon(() => void this.flush().then(done));
    });
    return durable;
  }

  private async flush(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = this.queue;
      this.queue = [];
      try {
        await this.journal.append(
          batch.map((waiting) => waiting.write),
          () => this.content(),
        );
      } catch (error) {
        this.fail(batch, error);
        break;
      }
      for (const { write, stored } of batch) {
        this.publish(write);
        stored.letGo();
      }
      this.watchers.published(this.current);
      for (const { resolve } of batch) resolve();
      this.answerReaders();
    }
    this.flushing = undefined;
  }

  private publish(write: Write): void {
    const { resource, event } = write;
    const table = this.table(resource);
    if (event.type === 'DELETED') table.delete(event.stored.namespace, event.stored.name);
    else table.put(event.stored);
    this.pending.settle(write);
    this.history.record(resource, event);
    this.current = event.revision;
    this.watchers.notify(resource, event);
  }

  private content(): Content {
    return {
      revision: this.current,
      objects: [...this.tables].map(([resource, table]) => ({ resource, list: table.list() })),
    };
  }

  private answerReaders(): void {
    if (this.readers.length === 0) return;
    const ready = this.readers.filter((reader) => reader.revision <= this.current);
    this.readers = this.readers.filter((reader) => reader.revision > this.current);
    for (const { resolve } of ready) resolve();
  }

  private fail(batch: readonly Waiting[], cause: unknown): void {
    const refusal = apiError(503, 'ServiceUnavailable', this.journal.explain(cause));
    const lost = [...batch, ...this.queue, ...this.readers];
    this.queue = [];
    this.readers = [];
    this.pending.clear();
    // No client has received the revisions of the failed writes.
    this.issued = this.current;
    if (!this.closing) {
      this.refused = refusal;
      this.scheduleRepair();
    }
    for (const { reject } of lost) reject(refusal);
  }

  private scheduleRepair(): void {
    this.cancelRepair = this.clock.after(repairMs, () => {
      this.flushing = this.repair().finally(() => {
        this.flushing = undefined;
      });
    });
  }

  private async repair(): Promise<void> {
    try {
      await this.journal.repair();
      if (!this.closing) this.refused = undefined;
    } catch (error) {
      if (this.closing) return;
      this.refused = apiError(503, 'ServiceUnavailable', this.journal.explain(error));
      this.scheduleRepair();
    }
  }

  private table(resource: string): Table {
    let table = this.tables.get(resource);
    if (!table) this.tables.set(resource, (table = new Table()));
    return table;
  }
}
