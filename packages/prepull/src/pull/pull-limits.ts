/** How many pulls may run at once; absent means no limit. */
export interface PullLimits {
  readonly cluster?: number;
  readonly node?: number;
  readonly registry?: number;
  readonly tenant?: number;
}

/** Where a pull takes place: what it takes a slot of. */
export interface PullPlace {
  readonly node: string;
  readonly registry: string;
  readonly tenant: string;
}

const dimensions = ['node', 'registry', 'tenant'] as const;

/**
 * The pulls that run, counted by what they take. A Job takes its slot before it is asked for and gives it back when it is known to be gone,
 * so the count is never below the truth.
 */
export class ActivePulls {
  readonly limits: PullLimits;
  readonly #places = new Map<string, PullPlace>();
  readonly #counts = {
    node: new Map<string, number>(),
    registry: new Map<string, number>(),
    tenant: new Map<string, number>(),
  };

  constructor(limits: PullLimits) {
    this.limits = limits;
  }

  get size(): number {
    return this.#places.size;
  }

  has(job: string): boolean {
    return this.#places.has(job);
  }

  take(job: string, place: PullPlace): void {
    if (this.#places.has(job)) return;
    this.#places.set(job, place);
    for (const by of dimensions) this.#counts[by].set(place[by], (this.#counts[by].get(place[by]) ?? 0) + 1);
  }

  giveBack(job: string): boolean {
    const place = this.#places.get(job);
    if (!place) return false;
    this.#places.delete(job);
    for (const by of dimensions) {
      const left = this.#counts[by].get(place[by])! - 1;
      if (left === 0) this.#counts[by].delete(place[by]);
      else this.#counts[by].set(place[by], left);
    }
    return true;
  }

  get clusterIsFull(): boolean {
    return this.#places.size >= (this.limits.cluster ?? Infinity);
  }

  isFull(by: 'node' | 'registry' | 'tenant', name: string): boolean {
    return (this.#counts[by].get(name) ?? 0) >= (this.limits[by] ?? Infinity);
  }
}
