/** How many pulls may run at once; absent means no limit. */
export interface PullLimits {
  readonly cluster?: number;
  readonly node?: number;
  readonly registry?: number;
  readonly tenant?: number;
}

/** The slots that a pull takes. */
export interface PullTarget {
  readonly node: string;
  readonly registry: string;
  readonly tenant: string;
}

const dimensions = ['node', 'registry', 'tenant'] as const;

/**
 * The running pulls, counted per node, registry and tenant. A Job takes its slot before it is created and releases it when it is known to
 * be gone, so the count is never too low.
 */
export class ActivePulls {
  readonly limits: PullLimits;
  readonly #targets = new Map<string, PullTarget>();
  readonly #counts = {
    node: new Map<string, number>(),
    registry: new Map<string, number>(),
    tenant: new Map<string, number>(),
  };

  constructor(limits: PullLimits) {
    this.limits = limits;
  }

  get size(): number {
    return this.#targets.size;
  }

  has(job: string): boolean {
    return this.#targets.has(job);
  }

  take(job: string, target: PullTarget): void {
    if (this.#targets.has(job)) return;
    this.#targets.set(job, target);
    for (const by of dimensions) this.#counts[by].set(target[by], (this.#counts[by].get(target[by]) ?? 0) + 1);
  }

  release(job: string): boolean {
    const target = this.#targets.get(job);
    if (!target) return false;
    this.#targets.delete(job);
    for (const by of dimensions) {
      const left = (this.#counts[by].get(target[by]) ?? 0) - 1;
      if (left <= 0) this.#counts[by].delete(target[by]);
      else this.#counts[by].set(target[by], left);
    }
    return true;
  }

  get clusterIsFull(): boolean {
    return this.#targets.size >= (this.limits.cluster ?? Infinity);
  }

  isFull(by: 'node' | 'registry' | 'tenant', name: string): boolean {
    return (this.#counts[by].get(name) ?? 0) >= (this.limits[by] ?? Infinity);
  }
}
