import { getOrCreate } from '@fairlead/apimachinery';
import type { Pull } from './pull-job.ts';
import type { ActivePulls } from './pull-limits.ts';

/** The pulls of one PrePullImage that wait for a slot. */
export interface WaitingImage {
  /** `namespace/name` of the PrePullImage. */
  readonly key: string;
  readonly tenant: string;
  readonly registry: string;
  readonly priority: number;
  readonly pulls: readonly Pull[];
}

interface Entry extends Omit<WaitingImage, 'pulls'> {
  readonly pulls: Pull[];
  /** Position by arrival: among equal priorities, first in, first out. */
  readonly order: number;
}

/**
 * The queue of pulls that wait for a slot. Tenants are served round-robin, regardless of how many images each has; within a tenant, by
 * priority and then by arrival. A pull whose node or registry is full does not block the others.
 */
export class WaitingPulls {
  readonly #tenants = new Map<string, Map<string, Entry>>();
  readonly #tenantOf = new Map<string, string>();
  #arrivals = 0;

  /** Replaces the waiting pulls of an image. */
  set(image: WaitingImage): void {
    const before = this.#tenants.get(image.tenant)?.get(image.key);
    if (image.pulls.length === 0) return this.delete(image.key);
    const order = before?.order ?? ++this.#arrivals;
    const entries = getOrCreate(this.#tenants, image.tenant, () => new Map<string, Entry>());
    entries.set(image.key, { ...image, pulls: [...image.pulls], order });
    this.#tenantOf.set(image.key, image.tenant);
  }

  delete(key: string): void {
    const tenant = this.#tenantOf.get(key);
    if (tenant === undefined) return;
    this.#tenantOf.delete(key);
    const entries = this.#tenants.get(tenant);
    entries?.delete(key);
    if (entries?.size === 0) this.#tenants.delete(tenant);
  }

  get size(): number {
    let sum = 0;
    for (const entries of this.#tenants.values()) for (const { pulls } of entries.values()) sum += pulls.length;
    return sum;
  }

  /** Removes and returns the next pull that fits all limits, or undefined if none does. Its tenant moves to the end of the round. */
  next(
    active: ActivePulls,
  ): { readonly key: string; readonly tenant: string; readonly registry: string; readonly pull: Pull } | undefined {
    if (active.clusterIsFull) return undefined;
    for (const [tenant, entries] of this.#tenants) {
      if (active.isFull('tenant', tenant)) continue;
      for (const entry of [...entries.values()].sort((a, b) => b.priority - a.priority || a.order - b.order)) {
        if (active.isFull('registry', entry.registry)) continue;
        const pull = entry.pulls.find(({ node }) => !active.isFull('node', node));
        if (!pull) continue;
        entry.pulls.splice(entry.pulls.indexOf(pull), 1);
        if (entry.pulls.length === 0) this.delete(entry.key);
        if (this.#tenants.delete(tenant) && entries.size > 0) this.#tenants.set(tenant, entries);
        return { key: entry.key, tenant, registry: entry.registry, pull };
      }
    }
    return undefined;
  }
}
