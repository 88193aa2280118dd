import { dns1123Label, fieldError, portName, portNumber } from '@fairlead/apimachinery';
import { type Findings, invalid, oneOf, requiredOneOf, unsupported } from '../checks.ts';
import { env, envFrom } from './env.ts';
import type { Leniency } from './leniency.ts';
import { devices, mounts, type Volumes } from './mounts.ts';
import { type Claims, requirements } from './resources.ts';
import { securityContext } from './security-context.ts';
import type { Container, PodSpec } from './types.ts';

/** The context of the validation of a container. */
export interface Surroundings {
  readonly spec: PodSpec;
  readonly volumes: Volumes;
  readonly claims: Claims;
  readonly leniency: Leniency;
}

/** The rules for containers of any type. */
export function* anyContainer(container: Container, path: string, around: Surroundings): Findings {
  if (!container.name) yield fieldError.required(`${path}.name`);
  else yield* invalid(`${path}.name`, container.name, dns1123Label(container.name));
  if (!container.image) yield fieldError.required(`${path}.image`);
  const messagePolicies = ['File', 'FallbackToLogsOnError'];
  yield* requiredOneOf(container.terminationMessagePolicy, messagePolicies, `${path}.terminationMessagePolicy`);
  yield* ports(container, `${path}.ports`);
  yield* env(container.env, `${path}.env`);
  yield* envFrom(container.envFrom, `${path}.envFrom`);
  yield* mounts(container, around.volumes, `${path}.volumeMounts`);
  yield* devices(container, around.volumes, `${path}.volumeDevices`);
  yield* requiredOneOf(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.imagePullPolicy`);
  yield* requirements(container.resources ?? {}, `${path}.resources`, around.claims, around.leniency);
  yield* resizePolicy(container, around.spec, `${path}.resizePolicy`);
  yield* securityContext(container.securityContext, around.spec, `${path}.securityContext`, around.leniency);
}

function* ports(container: Container, path: string): Findings {
  const names = new Set<string>();
  for (const [index, port] of (container.ports ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (port.name) {
      const wrong = portName(port.name);
      yield* invalid(`${at}.name`, port.name, wrong);
      if (wrong.length === 0 && names.has(port.name)) yield fieldError.duplicate(`${at}.name`, port.name);
      if (wrong.length === 0) names.add(port.name);
    }
    if (!port.containerPort) yield fieldError.required(`${at}.containerPort`);
    else yield* invalid(`${at}.containerPort`, port.containerPort, portNumber(port.containerPort));
    if (port.hostPort) yield* invalid(`${at}.hostPort`, port.hostPort, portNumber(port.hostPort));
    yield* requiredOneOf(port.protocol, ['SCTP', 'TCP', 'UDP'], `${at}.protocol`);
  }
}

/** Host ports of these containers, each only once. */
export function* hostPorts(containers: readonly Container[], path: string): Findings {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [at, port] of (container.ports ?? []).entries()) {
      if (!port.hostPort) continue;
      const key = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`;
      if (taken.has(key)) yield fieldError.duplicate(`${path}[${index}].ports[${at}].hostPort`, key);
      taken.add(key);
    }
  }
}

function* resizePolicy(container: Container, spec: PodSpec, path: string): Findings {
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy = '' }] of (container.resizePolicy ?? []).entries()) {
    if (seen.has(resourceName)) yield fieldError.duplicate(`${path}[${index}]`, resourceName);
    seen.add(resourceName);
    yield* requiredOneOf(resourceName, ['cpu', 'memory'], path);
    yield* requiredOneOf(restartPolicy, ['NotRequired', 'RestartContainer'], path);
    if (spec.restartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      yield fieldError.invalid(path, restartPolicy, detail);
    }
  }
}

/** The restart policy of a container, with its rules by exit code. */
export function* restartPolicy(container: Container, path: string, role: 'main' | 'init' = 'main'): Findings {
  const rules = container.restartPolicyRules ?? [];
  if (container.restartPolicy == null) {
    if (rules.length === 0) return;
    yield fieldError.required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
    if (role === 'init') return;
  } else yield* oneOf(container.restartPolicy, ['Always', 'Never', 'OnFailure'], `${path}.restartPolicy`);

  if (rules.length > 20) yield fieldError.tooMany(`${path}.restartPolicyRules`, rules.length, 20);
  for (const [index, { action = '', exitCodes }] of rules.entries()) {
    const at = `${path}.restartPolicyRules[${index}]`;
    const actions = ['Restart', 'RestartAllContainers'];
    if (!actions.includes(action)) yield unsupported(`${at}.action`, action, actions);
    if (!exitCodes) {
      yield fieldError.required(`${at}.exitCodes`, 'must be specified');
      continue;
    }
    yield* oneOf(exitCodes.operator ?? '', ['In', 'NotIn'], `${at}.exitCodes.operator`);
    const values = exitCodes.values ?? [];
    if (values.length > 255) yield fieldError.tooMany(`${at}.exitCodes.values`, values.length, 255);
  }
}
