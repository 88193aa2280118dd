/** The most recently used values, up to a total size. */
export class BoundedCache<T> {
  readonly #values = new Map<string, { value: T; size: number; moved: number }>();
  readonly #capacity: number;
  #size = 0;
  #moves = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): T | undefined {
    const found = this.#values.get(key);
    if (!found) return undefined;
    // An entry in the newer half is not moved: moving costs more than a lookup.
    if (this.#moves - found.moved > this.#values.size / 2) {
      found.moved = ++this.#moves;
      this.#values.delete(key);
      this.#values.set(key, found);
    }
    return found.value;
  }

  set(key: string, value: T, size: number): void {
    this.#size += size - (this.#values.get(key)?.size ?? 0);
    this.#values.delete(key);
    this.#values.set(key, { value, size, moved: ++this.#moves });
    for (const [oldest, entry] of this.#values) {
      if (this.#size <= this.#capacity) break;
      this.#values.delete(oldest);
      this.#size -= entry.size;
    }
  }

  delete(key: string): void {
    this.#size -= this.#values.get(key)?.size ?? 0;
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }
}
