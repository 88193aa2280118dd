import type { Condition, JsonObject, KubeObject } from '@fairlead/apimachinery';

/** The fields of a Pod that a kubelet reads. */
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
    conditions?: PodCondition[];
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

export interface PodCondition extends Condition {
  lastProbeTime?: string | null;
}

export interface ContainerStatus extends JsonObject {
  name: string;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  state: JsonObject;
}

export const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always';
export const isTerminal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';
