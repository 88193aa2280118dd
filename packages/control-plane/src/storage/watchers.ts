import type { StorageEvent } from './storage.ts';

interface Watcher {
  /** The revision up to which it has received or skips all events. */
  seen: number;
  readonly listener: (event: StorageEvent) => void;
}

/** The watchers of each resource. A listener that throws is a programming error: it crashes the process, but does not fail the write. */
export class Watchers {
  private readonly byResource = new Map<string, Set<Watcher>>();
  private readonly progress = new Set<(revision: number) => void>();

  add(
    resource: string,
    seen: number,
    listener: (event: StorageEvent) => void,
    missed: readonly StorageEvent[],
  ): { stop(): void } {
    const watcher: Watcher = { seen, listener };
    for (const event of missed) guarded(listener, event);
    let watchers = this.byResource.get(resource);
    if (!watchers) this.byResource.set(resource, (watchers = new Set()));
    watchers.add(watcher);
    return { stop: () => void watchers.delete(watcher) };
  }

  /** A watcher added during this call (from within a listener) has this event in its history. */
  notify(resource: string, event: StorageEvent): void {
    const watchers = this.byResource.get(resource);
    if (!watchers) return;
    for (const watcher of watchers) {
      if (event.revision <= watcher.seen) continue;
      watcher.seen = event.revision;
      guarded(watcher.listener, event);
    }
  }

  onPublish(listener: (revision: number) => void): { stop(): void } {
    const own = (revision: number) => listener(revision);
    this.progress.add(own);
    return { stop: () => void this.progress.delete(own) };
  }

  published(revision: number): void {
    for (const listener of this.progress) guarded(listener, revision);
  }

  clear(): void {
    this.byResource.clear();
    this.progress.clear();
  }
}

function guarded<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
