import { fieldError } from '@fairlead/apimachinery';
import type { Findings } from '../checks.ts';
import { anyContainer, hostPorts, restartPolicy, type Surroundings } from './container.ts';
import { probesAndHooks } from './probes.ts';
import type { Container, EphemeralContainer } from './types.ts';

export function* regularContainers(containers: readonly Container[], path: string, around: Surroundings): Findings {
  if (containers.length === 0) return yield fieldError.required(path);
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    yield* anyContainer(container, at, around);
    const name = container.name ?? '';
    if (names.has(name)) yield fieldError.duplicate(`${at}.name`, name);
    names.add(name);
    yield* probesAndHooks(container, around.spec, at);
    yield* restartPolicy(container, at);
  }
  yield* hostPorts(containers, path);
}

const onlyForSidecars = 'may not be set for init containers without restartPolicy=Always';

export function* initContainers(containers: readonly Container[], path: string, around: Surroundings): Findings {
  const names = new Set((around.spec.containers ?? []).map((each) => each.name ?? ''));
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    yield* anyContainer(container, at, around);
    yield* restartPolicy(container, at, 'init');
    const name = container.name ?? '';
    if (names.has(name)) yield fieldError.duplicate(`${at}.name`, name);
    else if (name) names.add(name);
    // They run one after the other, so that each may use the same host ports.
    yield* hostPorts([container], path);
    if (container.restartPolicy === 'Always') {
      yield* probesAndHooks(container, around.spec, at);
      continue;
    }
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
      if (container[field]) yield fieldError.forbidden(`${at}.${field}`, onlyForSidecars);
    }
    if (around.leniency.restartingInitResize) continue;
    for (const [rule, { restartPolicy: policy }] of (container.resizePolicy ?? []).entries()) {
      if (policy !== 'RestartContainer') continue;
      const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
      yield fieldError.invalid(`${at}.resizePolicy[${rule}].restartPolicy`, policy, detail);
    }
  }
}

/** Fields of regular containers that ephemeral containers cannot have. */
const notForDebugging = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;
const refusal = 'cannot be set for an Ephemeral Container';

export function* ephemeralContainers(
  containers: readonly EphemeralContainer[],
  path: string,
  around: Surroundings,
): Findings {
  const lasting = new Set(
    [...(around.spec.containers ?? []), ...(around.spec.initContainers ?? [])].map((each) => each.name ?? ''),
  );
  const names = new Set(lasting);
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    yield* anyContainer(container, at, around);
    yield* trimmedImage(container, at);
    const name = container.name ?? '';
    if (names.has(name)) yield fieldError.duplicate(`${at}.name`, name);
    names.add(name);
    const target = container.targetContainerName;
    if (target && !lasting.has(target)) yield fieldError.notFound(`${at}.targetContainerName`, target);
    for (const field of notForDebugging) {
      if (!isEmpty(field, container[field])) yield fieldError.forbidden(`${at}.${field}`, refusal);
    }
    for (const [mount, { subPath, subPathExpr }] of (container.volumeMounts ?? []).entries()) {
      if (subPath) yield fieldError.forbidden(`${at}.volumeMounts[${mount}].subPath`, refusal);
      if (subPathExpr) yield fieldError.forbidden(`${at}.volumeMounts[${mount}].subPathExpr`, refusal);
    }
  }
}

/** For a pointer in Go, an empty value is present. */
const pointed: readonly string[] = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'];

const isEmpty = (field: string, value: unknown): boolean =>
  value == null || (!pointed.includes(field) && typeof value === 'object' && Object.keys(value).length === 0);

/** Templates may have image names with spaces around them, pods may not. */
export function* trimmedImage(container: Container, path: string): Findings {
  const image = container.image ?? '';
  if (image.trim() !== image) {
    yield fieldError.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace');
  }
}
