import type { Write } from './journal.ts';
import type { Stored } from './storage.ts';
import type { Table } from './table.ts';

/** Writes with a revision that are not published: the difference between `head` and the view of readers. */
export class PendingWrites {
  private readonly resources = new Map<string, Map<string, Write>>();

  add(write: Write): void {
    const { resource, event } = write;
    let keys = this.resources.get(resource);
    if (!keys) this.resources.set(resource, (keys = new Map()));
    keys.set(keyOf(event.stored), write);
  }

  /** A later write to the same key is kept. */
  settle(write: Write): void {
    const keys = this.resources.get(write.resource);
    const key = keyOf(write.event.stored);
    if (keys?.get(key) !== write) return;
    keys.delete(key);
    if (keys.size === 0) this.resources.delete(write.resource);
  }

  clear(): void {
    this.resources.clear();
  }

  head(table: Table | undefined, resource: string, namespace: string, name: string): Stored | undefined {
    const write = this.resources.get(resource)?.get(`${namespace}/${name}`);
    return write ? after(write) : table?.get(namespace, name);
  }

  /** A copy if anything is pending, so that a loop over it may write. */
  heads(table: Table | undefined, resource: string, namespace?: string): readonly Stored[] {
    const published = table?.list(namespace) ?? [];
    const keys = this.resources.get(resource);
    if (!keys) return published;
    const heads = published.filter((stored) => !keys.has(keyOf(stored)));
    for (const write of keys.values()) {
      const stored = after(write);
      if (stored && (namespace === undefined || stored.namespace === namespace)) heads.push(stored);
    }
    return heads;
  }
}

const after = ({ event }: Write): Stored | undefined => (event.type === 'DELETED' ? undefined : event.stored);
const keyOf = (stored: Stored): string => `${stored.namespace}/${stored.name}`;
