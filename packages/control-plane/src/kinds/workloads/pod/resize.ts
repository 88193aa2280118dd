import { fieldError } from '@fairlead/apimachinery';
import { all, type Findings } from '../checks.ts';
import { same } from '../equality.ts';
import { mirrorPod } from '../pod-spec/annotations.ts';
import type { Leniency } from '../pod-spec/leniency.ts';
import type { Container, PodSpec, ResourceList, ResourceRequirements } from '../pod-spec/types.ts';
import type { CompletePod } from './pod.ts';
import { qosClass } from './qos.ts';
import { anyPod } from './validate.ts';

const onlyCpuAndMemory = 'only cpu and memory resources are mutable';

/** Only CPU and memory of a running pod may change, and not its QoS class. */
export function* podResize(pod: CompletePod, old: CompletePod, leniency: Leniency): Findings {
  if (old.metadata.annotations?.[mirrorPod] !== undefined) {
    return yield fieldError.forbidden('', 'static pods cannot be resized');
  }
  if (old.spec.os?.name === 'windows') return yield fieldError.forbidden('', 'windows pods cannot be resized');
  const before = all(anyPod(pod, leniency), whole(pod, old), sameContainers(pod.spec, old.spec));
  yield* before;
  if (before.some((error) => error.message.includes('on resize'))) return;
  const parts = all(
    ...(['initContainers', 'containers'] as const).map((list) => nothingRemoved(pod.spec, old.spec, list)),
    regular(pod.spec, old.spec),
    initial(pod.spec, old.spec),
  );
  yield* parts;
  if (before.length + parts.length > 0) return;
  if (!same(unresizedSpec(pod.spec, old.spec), unresizedSpec(old.spec, old.spec)))
    yield fieldError.forbidden('spec', onlyCpuAndMemory);
}

function* whole(pod: CompletePod, old: CompletePod): Findings {
  const was = old.status.qosClass ?? qosClass(old.spec);
  if (was !== qosClass(pod.spec)) {
    const detail = 'Pod QOS Class may not change as a result of resizing';
    yield fieldError.invalid('spec', pod.status.qosClass ?? '', detail);
  }
  const running = (old.status.containerStatuses ?? []).find((each) => each.state?.running);
  if (running && !running.resources) {
    yield fieldError.forbidden('spec', 'Pod running on node without support for resize');
  }
  const [now, before] = [pod.spec.resources, old.spec.resources];
  if (before && !now) return yield fieldError.forbidden('spec.resources', 'pod-level resources cannot be removed');
  for (const part of ['requests', 'limits'] as const) {
    if (before && removed(now?.[part], before[part])) {
      yield fieldError.forbidden(`spec.resources.${part}`, `pod-level resource ${part} cannot be removed`);
    }
  }
  if (now && !same(withOldCpuAndMemory(now, before), before)) {
    yield fieldError.forbidden('spec', `${onlyCpuAndMemory} at pod-level`);
  }
}

function* sameContainers(spec: PodSpec, old: PodSpec): Findings {
  for (const list of ['containers', 'initContainers'] as const) {
    const [now, before] = [spec[list] ?? [], old[list] ?? []];
    if (now.length !== before.length)
      yield fieldError.forbidden(`spec.${list}`, `${list} may not be added or removed on resize`);
    else {
      for (const [index, container] of before.entries()) {
        if (now[index]?.name === container.name) continue;
        yield fieldError.forbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`);
      }
    }
  }
}

function* nothingRemoved(spec: PodSpec, old: PodSpec, list: 'containers' | 'initContainers'): Findings {
  for (const [index, container] of (old[list] ?? []).entries()) {
    for (const part of ['requests', 'limits'] as const) {
      if (!removed(spec[list]?.[index]?.resources?.[part], container.resources?.[part])) continue;
      yield fieldError.forbidden(`spec.${list}[${index}].resources.${part}`, `resource ${part} cannot be removed`);
    }
  }
}

const removed = (now: ResourceList | undefined, before: ResourceList | undefined): boolean =>
  Object.keys(before ?? {}).some((name) => !(name in (now ?? {})));

function* regular(spec: PodSpec, old: PodSpec): Findings {
  for (const [index, container] of (spec.containers ?? []).entries()) {
    if (!resizedOnly(container, old.containers?.[index])) yield fieldError.forbidden('spec', onlyCpuAndMemory);
  }
}

function* initial(spec: PodSpec, old: PodSpec): Findings {
  for (const [index, container] of (spec.initContainers ?? []).entries()) {
    const before = old.initContainers?.[index];
    const path = `spec.initContainers[${index}]`;
    if (!resizedOnly(container, before)) {
      const detail = 'only cpu and memory resources for init or sidecar containers are mutable';
      yield fieldError.forbidden(path, detail);
    }
    if (same(container, before) || container.restartPolicy === 'Always') continue;
    for (const rule of container.resizePolicy ?? []) {
      if (rule.restartPolicy !== 'RestartContainer') continue;
      const detail = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
      yield fieldError.forbidden(path, detail);
    }
  }
}

const resizedOnly = (container: Container, old: Container | undefined): boolean =>
  old !== undefined && same(unresized(container, old), unresized(old, old));

const unresized = (container: Container, old: Container | undefined): Container => ({
  ...container,
  resources: withOldCpuAndMemory(container.resources ?? {}, old?.resources) ?? {},
});

function withOldCpuAndMemory(
  now: ResourceRequirements,
  before: ResourceRequirements | undefined,
): ResourceRequirements | undefined {
  const kept: ResourceRequirements = { ...now };
  for (const part of ['requests', 'limits'] as const) {
    const { cpu: _, memory: __, ...rest } = now[part] ?? {};
    for (const name of ['cpu', 'memory']) {
      const value = before?.[part]?.[name];
      if (value !== undefined) rest[name] = value;
    }
    if (Object.keys(rest).length > 0) kept[part] = rest;
    else delete kept[part];
  }
  return before === undefined && Object.keys(kept).length === 0 ? undefined : kept;
}

function unresizedSpec(spec: PodSpec, old: PodSpec): PodSpec {
  const { resources, ...rest } = spec;
  const wholePod = resources && withOldCpuAndMemory(resources, old.resources);
  return {
    ...rest,
    ...(wholePod ? { resources: wholePod } : {}),
    containers: (spec.containers ?? []).map((each, index) => unresized(each, old.containers?.[index])),
    initContainers: (spec.initContainers ?? []).map((each, index) => unresized(each, old.initContainers?.[index])),
  };
}
