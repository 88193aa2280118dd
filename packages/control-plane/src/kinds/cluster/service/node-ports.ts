import { fieldError } from '@fairlead/apimachinery';
import type { Random } from '@fairlead/kube';
import { refuse } from '../../../errors.ts';
import { internalError } from '../internal-error.ts';
import { type HeldByOthers, leftToChoose, type PortRange } from './ranges.ts';
import { needsHealthCheckPort, type ServicePort, type ServiceSpec } from './types.ts';

const kind = { group: '', kind: 'Service' };

/** Node ports allocated in one write, in addition to those of other Services. */
export class NodePorts {
  readonly #taken: HeldByOthers;
  readonly #range: PortRange;
  readonly #random: Random;

  constructor(taken: HeldByOthers, range: PortRange, random: Random) {
    this.#taken = taken;
    this.#range = range;
    this.#random = random;
  }

  /** Why the port cannot be allocated, or undefined when it is allocated now. */
  take(port: number): string | undefined {
    const { first, last } = this.#range;
    if (port < first || port > last) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    if (this.#taken.hasPort(port)) return 'provided port is already allocated';
    this.#taken.addPort(port);
    return undefined;
  }

  /** A free port, from the upper part first: the lower is reserved for manual assignment. */
  next(): number | undefined {
    const { first, last } = this.#range;
    const size = last - first + 1;
    const reserved = leftToChoose(size, 32, 128);
    return this.#free(first + reserved, last) ?? this.#free(first, first + reserved - 1);
  }

  #free(first: number, last: number): number | undefined {
    const size = last - first + 1;
    const start = Math.floor(this.#random() * size);
    for (let step = 0; step < size; step += 1) {
      const port = first + ((start + step) % size);
      if (this.#taken.hasPort(port)) continue;
      this.#taken.addPort(port);
      return port;
    }
    return undefined;
  }
}

const allocates = (spec: ServiceSpec): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts === true);

function mustTake(ports: NodePorts, name: string, index: number, port: number): void {
  const problem = ports.take(port);
  if (problem) throw refuse.invalid(kind, name, [fieldError.invalid(`spec.ports[${index}].nodePort`, port, problem)]);
}

function mustHave(port: number | undefined, what: string): number {
  if (port !== undefined) return port;
  throw internalError(`failed to allocate a ${what}: range is full`);
}

/** On create, ports with one number share a node port (TCP and UDP of the same service). */
export function allocateNodePorts(name: string, spec: ServiceSpec, ports: NodePorts): void {
  const byPort = new Map<number, number>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !allocates(spec)) continue;
    const number = port.port ?? 0;
    const shared = byPort.get(number);
    if (shared !== undefined) {
      if (!port.nodePort) port.nodePort = shared;
      else if (port.nodePort !== shared) mustTake(ports, name, index, port.nodePort);
      continue;
    }
    const asked = (spec.ports ?? []).find((other) => other.port === port.port && other.nodePort)?.nodePort;
    if (asked) mustTake(ports, name, index, asked);
    port.nodePort = asked ?? mustHave(ports.next(), 'nodePort');
    byPort.set(number, port.nodePort);
  }
}

/** On update, the existing ports of the Service are kept. */
export function updateNodePorts(name: string, spec: ServiceSpec, old: ServiceSpec, ports: NodePorts): void {
  const held = new Set((old.ports ?? []).map((port) => port.nodePort));
  const takenNow = new Set<number>();
  const seen = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !allocates(spec)) continue;
    if (!port.nodePort) port.nodePort = mustHave(ports.next(), 'nodePort');
    else if (!held.has(port.nodePort) && !takenNow.has(port.nodePort)) {
      mustTake(ports, name, index, port.nodePort);
      takenNow.add(port.nodePort);
    }
    const described = `{${port.protocol} ${port.nodePort}}`;
    if (seen.has(described)) throw refuse.storage(`duplicate nodePort: ${described}`);
    seen.add(described);
  }
}

export function allocateHealthCheckPort(spec: ServiceSpec, old: ServiceSpec | undefined, ports: NodePorts): void {
  if (!needsHealthCheckPort(spec) || (old && needsHealthCheckPort(old))) return;
  if (!spec.healthCheckNodePort) {
    spec.healthCheckNodePort = mustHave(ports.next(), 'HealthCheck NodePort');
    return;
  }
  const problem = ports.take(spec.healthCheckNodePort);
  if (!problem) return;
  throw internalError(`failed to allocate requested HealthCheck NodePort ${spec.healthCheckNodePort}: ${problem}`);
}

/** If a client omits node ports on an update, the existing ones are kept, matched by name. */
export function keepNodePorts(ports: readonly ServicePort[], old: readonly ServicePort[]): void {
  const numbers = (list: readonly ServicePort[]) => new Set(list.flatMap((port) => port.nodePort || []));
  const kept = numbers(ports);
  const used = new Set([...numbers(old)].filter((port) => kept.has(port)));
  const byName = new Map(old.map((port) => [port.name ?? '', port.nodePort ?? 0]));
  for (const port of ports) {
    const before = byName.get(port.name ?? '');
    if (!port.nodePort && before && !used.has(before)) port.nodePort = before;
  }
}
