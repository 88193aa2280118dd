import type { PodSpec } from '../../../kinds/workloads/pod-spec/types.ts';

/** A port that a pod takes on its node. */
export interface HostPort {
  readonly address: string;
  readonly protocol: string;
  readonly port: number;
}

const anywhere = '0.0.0.0';

export function hostPorts(spec: PodSpec): HostPort[] {
  const lasting = (spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  return [...(spec.containers ?? []), ...lasting].flatMap((container) =>
    (container.ports ?? []).flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort ? [{ address: hostIP || anywhere, protocol: protocol || 'TCP', port: hostPort }] : [],
    ),
  );
}

/** One port can be taken once on each address; all addresses together are one more that conflicts with each. */
export class TakenPorts {
  readonly #taken = new Map<string, string[]>();

  add(ports: readonly HostPort[]): void {
    for (const { address, protocol, port } of ports) {
      const key = `${protocol}/${port}`;
      this.#taken.set(key, [...(this.#taken.get(key) ?? []), address]);
    }
  }

  remove(ports: readonly HostPort[]): void {
    for (const { address, protocol, port } of ports) {
      const key = `${protocol}/${port}`;
      const addresses = [...(this.#taken.get(key) ?? [])];
      const at = addresses.indexOf(address);
      if (at >= 0) addresses.splice(at, 1);
      if (addresses.length > 0) this.#taken.set(key, addresses);
      else this.#taken.delete(key);
    }
  }

  conflict(ports: readonly HostPort[]): boolean {
    return ports.some(({ address, protocol, port }) =>
      this.#taken
        .get(`${protocol}/${port}`)
        ?.some((taken) => address === anywhere || taken === anywhere || taken === address),
    );
  }
}
