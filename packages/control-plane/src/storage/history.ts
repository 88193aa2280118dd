import type { Clock } from '@fairlead/kube';
import type { StorageEvent } from './storage.ts';

export interface HistoryLimits {
  /** Events newer than this are kept. */
  readonly milliseconds: number;
  /** The number of events kept for each resource, regardless of age. */
  readonly events: number;
  /** The total size of superseded objects; beyond it the oldest events are dropped, regardless of age. */
  readonly bytes: number;
}

export const defaultHistoryLimits: HistoryLimits = { milliseconds: 75_000, events: 1_000, bytes: 96 * 1024 * 1024 };

const overheadOfEvent = 200;

/** An event is charged for the text that only it references: the newest text of an object belongs to the object itself. */
const costOf = (event: StorageEvent): number =>
  overheadOfEvent + (event.previous?.text.length ?? 0) + (event.type === 'DELETED' ? event.stored.text.length : 0);

/** Recent events by resource, for resumed watches and for lists at an older revision. */
export class History {
  private readonly clock: Clock;
  private readonly limits: HistoryLimits;
  private readonly resources = new Map<string, ResourceHistory>();
  /** Nothing before this revision was recorded here. */
  private readonly start: number;
  private bytes = 0;
  private swept: number;

  constructor(clock: Clock, start: number, limits: HistoryLimits = defaultHistoryLimits) {
    this.clock = clock;
    this.limits = limits;
    this.start = start;
    this.swept = clock.now();
  }

  record(resource: string, event: StorageEvent): void {
    const now = this.clock.now();
    let history = this.resources.get(resource);
    if (!history) this.resources.set(resource, (history = new ResourceHistory(this.start)));
    history.push(event, now);
    this.bytes += costOf(event);
    if (now - this.swept >= 1_000) {
      this.swept = now;
      for (const each of this.resources.values()) this.forgetOld(each, now);
    } else {
      this.forgetOld(history, now);
    }
    while (this.bytes > this.limits.bytes && this.forgetOldest());
  }

  /** Events of the resource after the revision, oldest first; undefined if some of them are dropped. */
  after(resource: string, revision: number): readonly StorageEvent[] | undefined {
    const history = this.resources.get(resource);
    if (revision < (history?.floor ?? this.start)) return undefined;
    return history?.after(revision) ?? [];
  }

  /** From this revision on every resource is complete. */
  get oldest(): number {
    let oldest = this.start;
    for (const history of this.resources.values()) oldest = Math.max(oldest, history.floor);
    return oldest;
  }

  private forgetOld(history: ResourceHistory, now: number): void {
    while (history.size > this.limits.events && now - history.oldestTime > this.limits.milliseconds) {
      this.bytes -= costOf(history.shift());
    }
  }

  private forgetOldest(): boolean {
    let oldest: ResourceHistory | undefined;
    for (const history of this.resources.values()) {
      if (history.size > 0 && (!oldest || history.oldestRevision < oldest.oldestRevision)) oldest = history;
    }
    if (!oldest) return false;
    this.bytes -= costOf(oldest.shift());
    return true;
  }
}

/** A queue in an array: items before `first` are removed, and are truncated once they are half of the array. */
class ResourceHistory {
  /** The revision of the last dropped event: a watch from here on misses nothing. */
  floor: number;
  private events: (StorageEvent | undefined)[] = [];
  private times: number[] = [];
  private first = 0;

  constructor(floor: number) {
    this.floor = floor;
  }

  get size(): number {
    return this.events.length - this.first;
  }

  get oldestTime(): number {
    return this.times[this.first]!;
  }

  get oldestRevision(): number {
    return this.events[this.first]!.revision;
  }

  push(event: StorageEvent, time: number): void {
    this.events.push(event);
    this.times.push(time);
  }

  shift(): StorageEvent {
    const event = this.events[this.first]!;
    this.events[this.first++] = undefined;
    this.floor = event.revision;
    if (this.first > 64 && this.first * 2 > this.events.length) {
      this.events = this.events.slice(this.first);
      this.times = this.times.slice(this.first);
      this.first = 0;
    }
    return event;
  }

  after(revision: number): StorageEvent[] {
    let low = this.first;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.events[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.events.slice(low) as StorageEvent[];
  }
}
