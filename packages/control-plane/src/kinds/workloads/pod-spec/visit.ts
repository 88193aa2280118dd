import type { Container, PodSpec } from './types.ts';

/** Every container with its path, in the order of kube-apiserver. */
export function* everyContainerAt(spec: PodSpec, path: string): Generator<[Container, string]> {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) yield [container, `${path}.${list}[${index}]`];
  }
}

export function* everyContainer(spec: PodSpec) {
  yield* spec.initContainers ?? [];
  yield* spec.containers ?? [];
  yield* spec.ephemeralContainers ?? [];
}
