import type { PodSpec } from '../../../kinds/workloads/pod-spec/types.ts';

/** A host port that a pod uses. */
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

/** A port can be used once per address; the wildcard address conflicts with each. */
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
