import type { JsonObject, KubeObject, ResourceType } from '@fairlead/apimachinery';

/** The parts of a Pod that a kubelet reads. */
export interface Pod extends KubeObject {
  spec: {
    nodeName?: string;
    restartPolicy?: string;
    hostNetwork?: boolean;
    activeDeadlineSeconds?: number;
    terminationGracePeriodSeconds?: number;
    containers: Container[];
    initContainers?: Container[];
    imagePullSecrets?: { name?: string }[];
    readinessGates?: { conditionType: string }[];
  };
  status?: {
    phase?: string;
    conditions?: Condition[];
    podIP?: string;
    startTime?: string;
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

export interface Container {
  name: string;
  image: string;
  imagePullPolicy?: string;
  restartPolicy?: string;
  command?: string[];
  args?: string[];
  readinessProbe?: { initialDelaySeconds?: number };
  startupProbe?: { initialDelaySeconds?: number };
}

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string;
  observedGeneration?: number;
}

export interface ContainerStatus extends JsonObject {
  name: string;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  state: JsonObject;
}

export const podType: ResourceType = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
export const nodeType: ResourceType = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
export const leaseType: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always';
export const isTerminal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';
