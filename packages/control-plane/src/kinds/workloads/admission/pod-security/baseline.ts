import type { Container, Handler, PodSpec } from '../../pod-spec/types.ts';
import { everyContainer } from '../../pod-spec/visit.ts';
import { appArmor, seccomp, seccompAnnotations, seLinux } from './profiles.ts';
import { type Check, counted, namesWhere, quoted, setters, sorted, type Violation } from './words.ts';

const defaultCapabilities =
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  );

const safeSysctls: readonly (readonly [since: number, name: string])[] = [
  [0, 'kernel.shm_rmid_forced'],
  [0, 'net.ipv4.ip_local_port_range'],
  [0, 'net.ipv4.tcp_syncookies'],
  [0, 'net.ipv4.ping_group_range'],
  [0, 'net.ipv4.ip_unprivileged_port_start'],
  [27, 'net.ipv4.ip_local_reserved_ports'],
  [29, 'net.ipv4.tcp_keepalive_time'],
  [29, 'net.ipv4.tcp_fin_timeout'],
  [29, 'net.ipv4.tcp_keepalive_intvl'],
  [29, 'net.ipv4.tcp_keepalive_probes'],
  [32, 'net.ipv4.tcp_rmem'],
  [32, 'net.ipv4.tcp_wmem'],
];

/** Privileged settings of a pod, by name in the order in which violations are listed. */
export const baseline: Record<string, Check> = {
  appArmorProfile: { since: 0, run: ({ spec, metadata }) => appArmor(spec, metadata.annotations ?? {}) },
  capabilities_baseline: { since: 0, run: ({ spec }) => capabilities(spec) },
  hostNamespaces: { since: 0, run: ({ spec }) => hostNamespaces(spec) },
  hostPathVolumes: {
    since: 0,
    run({ spec }) {
      const names = (spec.volumes ?? []).filter((volume) => volume.hostPath).map((volume) => volume.name ?? '');
      return names.length > 0 ? { reason: 'hostPath volumes', detail: counted('volume', names) } : undefined;
    },
  },
  hostPorts: { since: 0, run: ({ spec }) => hostPorts(spec) },
  hostProbesAndHostLifecycle: { since: 34, run: ({ spec }) => hostsOfHandlers(spec) },
  privileged: {
    since: 0,
    run({ spec }) {
      const names = namesWhere(spec, (each) => each.securityContext?.privileged);
      const detail = `${counted('container', names)} must not set securityContext.privileged=true`;
      return names.length > 0 ? { reason: 'privileged', detail } : undefined;
    },
  },
  procMount: {
    since: 0,
    run: ({ spec, minor }) => (minor >= 35 && spec.hostUsers === false ? undefined : procMount(spec)),
  },
  seLinuxOptions: { since: 0, run: ({ spec, minor }) => seLinux(spec, minor) },
  seccompProfile_baseline: {
    since: 0,
    run: ({ spec, metadata, minor }) =>
      minor < 19 ? seccompAnnotations(spec, metadata.annotations ?? {}) : seccomp(spec),
  },
  sysctls: {
    since: 0,
    run({ spec, minor }) {
      const safe = new Set(safeSysctls.filter(([since]) => since <= minor).map(([, name]) => name));
      const unsafe = (spec.securityContext?.sysctls ?? [])
        .map(({ name = '' }) => name)
        .filter((name) => !safe.has(name));
      return unsafe.length > 0 ? { reason: 'forbidden sysctls', detail: unsafe.join(', ') } : undefined;
    },
  },
  windowsHostProcess: {
    since: 0,
    run({ spec }) {
      const names = namesWhere(spec, (each) => each.securityContext?.windowsOptions?.hostProcess);
      const who = setters(spec.securityContext?.windowsOptions?.hostProcess === true, names);
      const detail = `${who} must not set securityContext.windowsOptions.hostProcess=true`;
      return who ? { reason: 'hostProcess', detail } : undefined;
    },
  },
};

function capabilities(spec: PodSpec): Violation | undefined {
  const added = (each: Container) =>
    (each.securityContext?.capabilities?.add ?? []).filter((name) => !defaultCapabilities.includes(name));
  const names = namesWhere(spec, (each) => added(each).length > 0);
  if (names.length === 0) return undefined;
  const which = quoted(sorted([...everyContainer(spec)].flatMap(added)));
  const detail = `${counted('container', names)} must not include ${which} in securityContext.capabilities.add`;
  return { reason: 'non-default capabilities', detail };
}

function hostNamespaces(spec: PodSpec): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field]);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
}

function hostPorts(spec: PodSpec): Violation | undefined {
  const used = (each: Container) => (each.ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const names = namesWhere(spec, (each) => used(each).length > 0);
  if (names.length === 0) return undefined;
  const ports = sorted([...everyContainer(spec)].flatMap(used));
  const what = `${names.length === 1 ? 'uses' : 'use'} hostPort${ports.length === 1 ? '' : 's'} ${ports.join(', ')}`;
  return { reason: 'hostPort', detail: `${counted('container', names)} ${what}` };
}

function hostsOfHandlers(spec: PodSpec): Violation | undefined {
  const hosts = (each: Container): string[] => {
    const handlers: (Handler | undefined)[] = [
      each.livenessProbe,
      each.readinessProbe,
      each.startupProbe,
      each.lifecycle?.postStart,
      each.lifecycle?.preStop,
    ];
    return handlers.flatMap((handler) =>
      [handler?.httpGet?.host, handler?.tcpSocket?.host].flatMap((host) => (host ? [host] : [])),
    );
  };
  const names = sorted(namesWhere(spec, (each) => hosts(each).length > 0));
  if (names.length === 0) return undefined;
  const found = sorted([...everyContainer(spec)].flatMap(hosts));
  const what = `probe or lifecycle host${found.length === 1 ? '' : 's'} ${quoted(found)}`;
  const detail = `${counted('container', names)} ${names.length === 1 ? 'uses' : 'use'} ${what}`;
  return { reason: 'probe or lifecycle host', detail };
}

export function procMount(spec: PodSpec): Violation | undefined {
  const other = (each: Container) =>
    each.securityContext?.procMount != null && each.securityContext.procMount !== 'Default';
  const containers = [...everyContainer(spec)].filter(other);
  if (containers.length === 0) return undefined;
  const types = quoted(sorted(containers.map((each) => each.securityContext?.procMount ?? '')));
  const names = containers.map((each) => each.name ?? '');
  return {
    reason: 'procMount',
    detail: `${counted('container', names)} must not set securityContext.procMount to ${types}`,
  };
}
