import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@fairlead/kube';

interface Holding {
  bytes: number;
  usedAt: number;
  drop(): Promise<void>;
}

/** Limits the size of one directory: the least recently used entries are removed first. Files of an earlier process count too. */
export class DiskBudget {
  readonly #dir: string;
  readonly #maxBytes: number;
  readonly #clock: Clock;
  readonly #holdings = new Map<string, Holding>();
  readonly #adopted: Promise<void>;
  #dropping: Promise<void> = Promise.resolve();

  constructor({ dir, maxBytes, clock }: { dir: string; maxBytes: number; clock: Clock }) {
    this.#dir = dir;
    this.#maxBytes = maxBytes;
    this.#clock = clock;
    this.#adopted = this.#adopt();
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  get bytes(): number {
    let total = 0;
    for (const { bytes } of this.#holdings.values()) total += bytes;
    return total;
  }

  /** Reports the current size of a name, and how to remove it. */
  hold(name: string, bytes: number, drop = () => this.#remove(name)): void {
    this.#holdings.set(name, { bytes, usedAt: this.#clock.now(), drop });
    this.#dropping = this.#dropping.then(() => this.#shrink(name));
  }

  used(name: string): void {
    const holding = this.#holdings.get(name);
    if (holding) holding.usedAt = this.#clock.now();
  }

  /** Resolves when everything that had to be removed is removed. */
  settled(): Promise<void> {
    return this.#dropping;
  }

  async #shrink(current: string): Promise<void> {
    await this.#adopted;
    const oldest = [...this.#holdings].filter(([name]) => name !== current).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    let total = this.bytes;
    for (const [name, holding] of oldest) {
      if (total <= this.#maxBytes) return;
      total -= holding.bytes;
      this.#holdings.delete(name);
      await holding.drop().catch(() => {});
    }
  }

  async #adopt(): Promise<void> {
    for (const name of await readdir(this.#dir).catch(() => [])) {
      if (/\.(?:new|gone)$/u.test(name)) await this.#remove(name);
      else if (!this.#holdings.has(name)) {
        const { bytes, usedAt } = await measure(join(this.#dir, name));
        if (!this.#holdings.has(name)) this.#holdings.set(name, { bytes, usedAt, drop: () => this.#remove(name) });
      }
    }
  }

  #remove(name: string): Promise<void> {
    return rm(join(this.#dir, name), { recursive: true, force: true });
  }
}

async function measure(path: string): Promise<{ bytes: number; usedAt: number }> {
  const own = await stat(path).catch(() => undefined);
  if (!own?.isDirectory()) return { bytes: own?.size ?? 0, usedAt: own?.mtimeMs ?? 0 };
  let bytes = 0;
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return { bytes, usedAt: own.mtimeMs };
}
