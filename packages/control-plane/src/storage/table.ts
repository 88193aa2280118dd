import { compareBytes, compareNamespaces } from './byte-order.ts';
import type { Stored } from './storage.ts';

/** The published objects of one resource: found by key at once, listed in order without sorting again. */
export class Table {
  private readonly namespaces = new Map<string, NamespaceTable>();
  private listed: readonly Stored[] | undefined;
  size = 0;

  get(namespace: string, name: string): Stored | undefined {
    return this.namespaces.get(namespace)?.byName.get(name);
  }

  put(stored: Stored): void {
    let table = this.namespaces.get(stored.namespace);
    if (!table) this.namespaces.set(stored.namespace, (table = new NamespaceTable()));
    if (table.put(stored)) this.size++;
    this.listed = undefined;
  }

  delete(namespace: string, name: string): void {
    const table = this.namespaces.get(namespace);
    if (!table?.delete(name)) return;
    this.size--;
    if (table.byName.size === 0) this.namespaces.delete(namespace);
    this.listed = undefined;
  }

  /** The same array until something changes, and never changed afterwards. */
  list(namespace?: string): readonly Stored[] {
    if (namespace !== undefined) return this.namespaces.get(namespace)?.list() ?? [];
    this.listed ??= [...this.namespaces.keys()]
      .sort(compareNamespaces)
      .flatMap((name) => this.namespaces.get(name)!.list());
    return this.listed;
  }
}

class NamespaceTable {
  readonly byName = new Map<string, Stored>();
  private readonly sorted: Stored[] = [];
  private listed: readonly Stored[] | undefined;

  /** Whether it is new. */
  put(stored: Stored): boolean {
    const isNew = !this.byName.has(stored.name);
    this.byName.set(stored.name, stored);
    const at = this.position(stored.name);
    if (isNew) this.sorted.splice(at, 0, stored);
    else this.sorted[at] = stored;
    this.listed = undefined;
    return isNew;
  }

  delete(name: string): boolean {
    if (!this.byName.delete(name)) return false;
    this.sorted.splice(this.position(name), 1);
    this.listed = undefined;
    return true;
  }

  list(): readonly Stored[] {
    return (this.listed ??= this.sorted.slice());
  }

  /** Where the name is, or where it belongs. Objects often arrive in order (a snapshot, generated names), so the end is tried first. */
  private position(name: string): number {
    const last = this.sorted.at(-1);
    if (!last || compareBytes(last.name, name) < 0) return this.sorted.length;
    let low = 0;
    let high = this.sorted.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes(this.sorted[middle]!.name, name) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
