import type { KubeObject, ResourceType } from '@fairlead/apimachinery';

/** What is read of the objects of others, and no more. */

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: { key: string; value?: string; effect: string }[] };
  status?: { conditions?: Condition[]; images?: { names?: string[]; sizeBytes?: number }[] };
}

export interface ContainerStatus {
  name: string;
  image?: string;
  imageID?: string;
  state?: {
    waiting?: { reason?: string; message?: string };
    running?: { startedAt?: string };
    terminated?: { reason?: string; message?: string; exitCode?: number; startedAt?: string };
  };
}

export interface Pod extends KubeObject {
  spec?: { nodeName?: string };
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    startTime?: string;
    conditions?: Condition[];
    containerStatuses?: ContainerStatus[];
  };
}

export interface Job extends KubeObject {
  spec: Record<string, unknown>;
  status?: { conditions?: Condition[]; startTime?: string };
}

export interface PodSpec {
  containers?: { name: string; image?: string }[];
  initContainers?: { name: string; image?: string }[];
  imagePullSecrets?: { name?: string }[];
  nodeSelector?: Record<string, string>;
  tolerations?: { key?: string; operator?: string; value?: string; effect?: string }[];
  affinity?: {
    nodeAffinity?: {
      requiredDuringSchedulingIgnoredDuringExecution?: {
        nodeSelectorTerms: { matchExpressions?: NodeRequirement[]; matchFields?: NodeRequirement[] }[];
      };
    };
  };
}

interface NodeRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface Workload extends KubeObject {
  spec?: {
    template?: { spec?: PodSpec };
    jobTemplate?: { spec?: { template?: { spec?: PodSpec } } };
  };
}

const core = (kind: string, plural: string, namespaced: boolean): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});

export const nodeType = core('Node', 'nodes', false);
export const podType = core('Pod', 'pods', true);
export const jobType: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true };

const apps = (kind: string, plural: string): ResourceType => ({
  group: 'apps',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});

export const workloadTypes: readonly ResourceType[] = [
  apps('Deployment', 'deployments'),
  apps('StatefulSet', 'statefulsets'),
  apps('DaemonSet', 'daemonsets'),
  { group: 'batch', version: 'v1', kind: 'CronJob', plural: 'cronjobs', namespaced: true },
];

export const isReady = (node: Node): boolean =>
  node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

export const podSpecOf = (workload: Workload): PodSpec =>
  workload.spec?.template?.spec ?? workload.spec?.jobTemplate?.spec?.template?.spec ?? {};
