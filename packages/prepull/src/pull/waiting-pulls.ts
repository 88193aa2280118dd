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

interface Line extends Omit<WaitingImage, 'pulls'> {
  readonly pulls: Pull[];
  /** When it came: between equals the first goes first. */
  readonly order: number;
}

/**
 * Pulls that wait, and whose turn it is. Tenants take turns, whatever the number of their images; within a tenant the higher priority, then
 * the older image goes first. A pull whose node or registry is full does not hold up the others.
 */
export class WaitingPulls {
  readonly #tenants = new Map<string, Map<string, Line>>();
  readonly #tenantOf = new Map<string, string>();
  #came = 0;

  /** Replaces what an image waits for. */
  set(image: WaitingImage): void {
    const before = this.#tenants.get(image.tenant)?.get(image.key);
    if (image.pulls.length === 0) return this.delete(image.key);
    const order = before?.order ?? ++this.#came;
    if (!this.#tenants.has(image.tenant)) this.#tenants.set(image.tenant, new Map());
    this.#tenants.get(image.tenant)!.set(image.key, { ...image, pulls: [...image.pulls], order });
    this.#tenantOf.set(image.key, image.tenant);
  }

  delete(key: string): void {
    const tenant = this.#tenantOf.get(key);
    if (tenant === undefined) return;
    this.#tenantOf.delete(key);
    const lines = this.#tenants.get(tenant)!;
    lines.delete(key);
    if (lines.size === 0) this.#tenants.delete(tenant);
  }

  get size(): number {
    let sum = 0;
    for (const lines of this.#tenants.values()) for (const { pulls } of lines.values()) sum += pulls.length;
    return sum;
  }

  /** Takes out the next pull that has room everywhere; undefined when none has. The tenant that was served goes to the end. */
  next(
    active: ActivePulls,
  ): { readonly key: string; readonly tenant: string; readonly registry: string; readonly pull: Pull } | undefined {
    if (active.clusterIsFull) return undefined;
    for (const [tenant, lines] of this.#tenants) {
      if (active.isFull('tenant', tenant)) continue;
      for (const line of [...lines.values()].sort((a, b) => b.priority - a.priority || a.order - b.order)) {
        if (active.isFull('registry', line.registry)) continue;
        const at = line.pulls.findIndex(({ node }) => !active.isFull('node', node));
        if (at < 0) continue;
        const [pull] = line.pulls.splice(at, 1);
        if (line.pulls.length === 0) this.delete(line.key);
        if (this.#tenants.delete(tenant) && lines.size > 0) this.#tenants.set(tenant, lines);
        return { key: line.key, tenant, registry: line.registry, pull: pull! };
      }
    }
    return undefined;
  }
}
