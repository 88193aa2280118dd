import { type Condition, formatTime, type JsonObject, type Node, withTransitionTime } from '@fairlead/apimachinery';

export interface NodeShape {
  readonly name: string;
  readonly zone?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  /** `false`: the node has none, and pods that request it are not scheduled to it. */
  readonly ephemeralStorage?: string | false;
  readonly address: string;
}

/** Marks it as simulated. */
export const runtimeVersion = 'fairlead-sim://1.0';

export const nodeLabels = ({ name, zone, labels }: NodeShape): Record<string, string> => ({
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'sim.fairlead.dev/node': 'true',
  ...(zone ? { 'topology.kubernetes.io/zone': zone } : {}),
  ...labels,
});

export const nodeObject = (shape: NodeShape): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: shape.name, labels: nodeLabels(shape) },
  spec: {},
});

export function nodeStatus(
  shape: NodeShape,
  images: readonly JsonObject[],
  now: number,
  ready: boolean,
  before?: Node['status'],
): JsonObject {
  const resources = {
    cpu: shape.cpu ?? '8',
    memory: shape.memory ?? '32Gi',
    pods: shape.pods ?? '110',
    ...(shape.ephemeralStorage === false ? {} : { 'ephemeral-storage': shape.ephemeralStorage ?? '100Gi' }),
  };
  return {
    capacity: resources,
    allocatable: resources,
    conditions: conditions(now, ready, before?.conditions),
    addresses: [
      { type: 'InternalIP', address: shape.address },
      { type: 'Hostname', address: shape.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: shape.name,
      systemUUID: shape.name,
      bootID: shape.name,
      kernelVersion: 'simulated',
      osImage: 'Fairlead simulated node',
      containerRuntimeVersion: runtimeVersion,
      kubeletVersion: 'v1.36.4',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
    images: [...images],
  };
}

const healthy = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const;

function conditions(now: number, ready: boolean, before: readonly Condition[] | undefined): JsonObject[] {
  const readiness = ready
    ? (['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'] as const)
    : (['Ready', 'False', 'KubeletNotReady', 'the node is down, as a fault asks'] as const);
  return [...healthy, readiness].map(([type, status, reason, message]) => {
    const time = formatTime(now);
    return withTransitionTime({ type, status, lastHeartbeatTime: time, reason, message }, before, time);
  });
}
