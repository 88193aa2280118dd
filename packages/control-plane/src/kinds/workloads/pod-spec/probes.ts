import { fieldError, httpHeaderName, portName, portNumber } from '@fairlead/apimachinery';
import { type Findings, invalid, nonNegative, oneOf, unsupported } from '../checks.ts';
import type { Container, Handler, HttpGet, Lifecycle, PodSpec, Probe } from './types.ts';

/** Probes and hooks of a container that may have them: regular ones and sidecars. */
export function* probesAndHooks(container: Container, spec: PodSpec, path: string): Findings {
  const grace = spec.terminationGracePeriodSeconds;
  if (container.lifecycle) yield* lifecycle(container.lifecycle, spec, `${path}.lifecycle`);
  yield* mustSucceedOnce(container.livenessProbe, grace, `${path}.livenessProbe`);
  yield* readiness(container.readinessProbe, grace, `${path}.readinessProbe`);
  yield* mustSucceedOnce(container.startupProbe, grace, `${path}.startupProbe`);
}

function* mustSucceedOnce(probe: Probe | undefined, grace: number | undefined, path: string): Findings {
  if (!probe) return;
  yield* anyProbe(probe, grace, path);
  if (probe.successThreshold !== 1) {
    yield fieldError.invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1');
  }
}

function* readiness(probe: Probe | undefined, grace: number | undefined, path: string): Findings {
  if (!probe) return;
  yield* anyProbe(probe, grace, path);
  if (probe.terminationGracePeriodSeconds != null) {
    const at = `${path}.terminationGracePeriodSeconds`;
    yield fieldError.invalid(at, probe.terminationGracePeriodSeconds, 'must not be set for readinessProbes');
  }
}

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function* anyProbe(probe: Probe, grace: number | undefined, path: string): Findings {
  const { sleep: _, ...handler } = probe;
  yield* oneHandler(handler, grace, path);
  for (const count of counts) yield* nonNegative(probe[count], `${path}.${count}`);
  const own = probe.terminationGracePeriodSeconds;
  if (own != null && own <= 0) {
    yield fieldError.invalid(`${path}.terminationGracePeriodSeconds`, own, 'must be greater than 0');
  }
}

function* oneHandler(handler: Handler, grace: number | undefined, path: string): Findings {
  let found = false;
  for (const kind of ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const) {
    if (!handler[kind]) continue;
    if (found) yield fieldError.forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type');
    else yield* action(handler, kind, grace, `${path}.${kind}`);
    found = true;
  }
  if (!found) yield fieldError.required(path, 'must specify a handler type');
}

function* action(handler: Handler, kind: keyof Handler, grace: number | undefined, path: string): Findings {
  if (kind === 'exec') {
    if (!handler.exec?.command?.length) yield fieldError.required(`${path}.command`);
  } else if (kind === 'httpGet') yield* httpGet(handler.httpGet ?? {}, path);
  else if (kind === 'tcpSocket') yield* portNumberOrName(handler.tcpSocket?.port, `${path}.port`);
  else if (kind === 'grpc') yield* portNumberOrName(handler.grpc?.port, `${path}.port`);
  else {
    const seconds = handler.sleep?.seconds ?? 0;
    if (grace != null && (seconds < 0 || seconds > grace)) {
      const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
      yield fieldError.invalid(path, seconds, detail);
    }
  }
}

function* httpGet(get: HttpGet, path: string): Findings {
  if (!get.path) yield fieldError.required(`${path}.path`);
  yield* portNumberOrName(get.port, `${path}.port`);
  yield* oneOf(get.scheme ?? '', ['HTTP', 'HTTPS'], `${path}.scheme`);
  for (const header of get.httpHeaders ?? []) {
    yield* invalid(`${path}.httpHeaders`, header.name ?? '', httpHeaderName(header.name ?? ''));
  }
}

export function* portNumberOrName(port: number | string | undefined, path: string): Findings {
  const value = port ?? 0;
  yield* invalid(path, value, typeof value === 'string' ? portName(value) : portNumber(value));
}

function* lifecycle(hooks: Lifecycle, spec: PodSpec, path: string): Findings {
  for (const hook of ['postStart', 'preStop'] as const) {
    const { grpc: _, ...handler } = hooks[hook] ?? {};
    if (hooks[hook]) yield* oneHandler(handler, spec.terminationGracePeriodSeconds, `${path}.${hook}`);
  }
  if (hooks.stopSignal != null) yield* stopSignal(hooks.stopSignal, spec.os?.name, `${path}.stopSignal`);
}

const named =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX';
const linuxSignals = [
  ...named.split(' ').map((name) => `SIG${name}`),
  ...Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${index + 1}`),
].sort();

function* stopSignal(signal: string, os: string | undefined, path: string): Findings {
  if (os === undefined) yield fieldError.forbidden(path, 'may not be set for containers with empty `spec.os.name`');
  const supported = os === 'windows' ? ['SIGKILL', 'SIGTERM'] : os === 'linux' ? linuxSignals : [signal];
  if (os !== undefined && !supported.includes(signal)) yield unsupported(path, signal, supported);
}
