import type { ContainerPort, PodSpec } from './types.ts';
import { everyContainerAt } from './visit.ts';

/** Ports that conflict or overlap across the containers of a pod, then duplicate names. */
export function* portWarnings(spec: PodSpec, path: string): Iterable<string> {
  const ports = [...everyContainerAt(spec, path)].flatMap(([container, at]) =>
    (container.ports ?? []).map((port, index) => ({ port, at: `${at}.ports[${index}]` })),
  );
  for (const [index, { port, at }] of ports.entries()) {
    if (port.hostIP && !port.hostPort) yield `${at}: hostIP set without hostPort: ${asGoPrints(port)}`;
    for (const other of ports.slice(0, index)) {
      const clash = sameTarget(port, other.port) && relation(port, other.port);
      if (clash) yield `${at}: ${clash} port definition with ${other.at}`;
    }
  }
  const names = new Map<string, string>();
  for (const { port, at } of ports) {
    if (!port.name) continue;
    const first = names.get(port.name);
    if (first === undefined) names.set(port.name, at);
    else {
      const use = `services and probes that select ports by name will use ${first}`;
      yield `${at}: duplicate port name ${JSON.stringify(port.name)} with ${first}, ${use}`;
    }
  }
}

const sameTarget = (a: ContainerPort, b: ContainerPort): boolean =>
  a.containerPort === b.containerPort && a.protocol === b.protocol;

function relation(a: ContainerPort, b: ContainerPort): string | undefined {
  const [ipA, ipB] = [a.hostIP ?? '', b.hostIP ?? ''];
  const [portA, portB] = [a.hostPort ?? 0, b.hostPort ?? 0];
  if (ipA === ipB && portA === portB) return 'duplicate';
  if (portA === 0 || portB === 0) return 'overlapping';
  if (portA === portB && (ipA === '') !== (ipB === '')) return 'dangerously ambiguous';
  return undefined;
}

const asGoPrints = (port: ContainerPort): string =>
  `{Name:${port.name ?? ''} HostPort:${port.hostPort ?? 0} ContainerPort:${port.containerPort ?? 0} Protocol:${port.protocol ?? ''} HostIP:${port.hostIP ?? ''}}`;
