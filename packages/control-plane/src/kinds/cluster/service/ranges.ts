import type { RuleContext } from '../../../resource.ts';
import { needsHealthCheckPort, type ServiceFields } from './types.ts';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface ServiceOptions {
  /** The range of cluster IPs. */
  readonly serviceNetwork: string;
  readonly nodePorts: PortRange;
}

export const defaultServiceOptions: ServiceOptions = {
  serviceNetwork: '10.0.0.0/24',
  nodePorts: { first: 30_000, last: 32_767 },
};

/** The part at the start of a range that is reserved for manual assignment; none of a small one. */
export const leftToChoose = (size: number, share: number, most: number): number =>
  size <= 16 ? 0 : Math.min(Math.max(16, Math.floor(size / share)), most);

/**
 * Addresses and ports of other Services. All are read, but only if something is allocated: most changes of Services, and those without an
 * address, need none.
 */
export class HeldByOthers {
  readonly #draft: ServiceFields;
  readonly #context: RuleContext;
  #held: { readonly addresses: Set<string>; readonly ports: Set<number> } | undefined;
  readonly #own: number[] = [];

  constructor(draft: ServiceFields, context: RuleContext) {
    this.#draft = draft;
    this.#context = context;
  }

  hasAddress(address: string): boolean {
    return this.#all().addresses.has(address);
  }

  hasPort(port: number): boolean {
    return this.#own.includes(port) || this.#all().ports.has(port);
  }

  addPort(port: number): void {
    this.#own.push(port);
  }

  #all(): { readonly addresses: Set<string>; readonly ports: Set<number> } {
    this.#held ??= this.#collect();
    return this.#held;
  }

  #collect(): { readonly addresses: Set<string>; readonly ports: Set<number> } {
    const addresses = new Set<string>();
    const ports = new Set<number>();
    const { name, namespace } = this.#draft.metadata;
    const services: Iterable<ServiceFields> = this.#context.find('core/services');
    for (const object of services) {
      if (object.metadata.name === name && object.metadata.namespace === namespace) continue;
      const spec = object.spec ?? {};
      for (const address of spec.clusterIPs ?? []) addresses.add(address);
      for (const { nodePort } of spec.ports ?? []) if (nodePort) ports.add(nodePort);
      if (spec.healthCheckNodePort && needsHealthCheckPort(spec)) ports.add(spec.healthCheckNodePort);
    }
    return { addresses, ports };
  }
}
