import { compareBytes, compareNamespaces } from '@fairlead/apimachinery';
import type { Stored } from './storage.ts';

/** The published objects of one resource: a lookup by key is constant, and a list needs no complete sort. */
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

  /** The same array until something changes, and never mutated. */
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
  /** Names in order as of the last list. Some may be deleted, and those in `arrived` are not inserted yet. */
  private order: readonly string[] = [];
  private arrived: string[] = [];
  private listed: readonly Stored[] | undefined;

  /** Whether it is new. A write has constant cost; a list sorts only the names added since the last. */
  put(stored: Stored): boolean {
    const before = this.byName.size;
    this.byName.set(stored.name, stored);
    const isNew = this.byName.size > before;
    if (isNew) this.arrived.push(stored.name);
    this.listed = undefined;
    return isNew;
  }

  delete(name: string): boolean {
    if (!this.byName.delete(name)) return false;
    this.listed = undefined;
    return true;
  }

  list(): readonly Stored[] {
    if (!this.listed) {
      this.settle();
      this.listed = this.order.map((name) => this.byName.get(name)!);
    }
    return this.listed;
  }

  private settle(): void {
    if (this.arrived.length === 0 && this.order.length === this.byName.size) return;
    const names = merge(this.order, this.arrived.sort(compareBytes));
    this.order = names.filter((name, at) => name !== names[at - 1] && this.byName.has(name));
    this.arrived = [];
  }
}

function merge(left: readonly string[], right: readonly string[]): string[] {
  const merged: string[] = [];
  let [at, next] = [0, 0];
  while (at < left.length && next < right.length) {
    merged.push(compareBytes(left[at]!, right[next]!) <= 0 ? left[at++]! : right[next++]!);
  }
  for (; at < left.length; at += 1) merged.push(left[at]!);
  for (; next < right.length; next += 1) merged.push(right[next]!);
  return merged;
}
