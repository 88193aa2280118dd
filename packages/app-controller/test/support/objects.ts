/** Objects of the end-to-end cases: the behaviour of a container follows from its command, on simulated and real nodes. */

type Annotations = Record<string, string>;

export const hook = (kind: string, more: Annotations = {}): Annotations => ({
  'argocd.argoproj.io/hook': kind,
  ...more,
});
export const policy = (text: string): Annotations => ({ 'argocd.argoproj.io/hook-delete-policy': text });
export const wave = (n: number): Annotations => ({ 'argocd.argoproj.io/sync-wave': String(n) });
export const options = (text: string): Annotations => ({ 'argocd.argoproj.io/sync-options': text });

export const configMap = (name: string, annotations: Annotations = {}, data: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, annotations },
  data,
});

export const secret = (name: string, annotations: Annotations = {}): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, annotations },
});

const container = (command: string): object => ({
  name: 'main',
  image: 'busybox:1.36',
  command: ['sh', '-c', command],
});

export interface JobShape {
  readonly command?: string;
  readonly annotations?: Annotations;
  readonly generateName?: string;
  readonly ttl?: number;
}

export const job = (
  name: string,
  { command = 'exit 0', annotations = {}, generateName, ttl }: JobShape = {},
): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { ...(generateName ? { generateName } : { name }), annotations },
  spec: {
    backoffLimit: 0,
    ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }),
    template: { spec: { restartPolicy: 'Never', containers: [container(command)] } },
  },
});

export const pod = (name: string, command: string, annotations: Annotations = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations },
  spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, containers: [container(command)] },
});

export interface DeploymentShape {
  readonly annotations?: Annotations;
  readonly replicas?: number;
  readonly label?: string;
  /** The minimum time until it is healthy. */
  readonly minReadySeconds?: number;
}

export const deployment = (
  name: string,
  { annotations = {}, replicas = 1, label = name, minReadySeconds = 0 }: DeploymentShape = {},
): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, annotations },
  spec: {
    replicas,
    minReadySeconds,
    selector: { matchLabels: { app: label } },
    template: {
      metadata: { labels: { app: label } },
      spec: { terminationGracePeriodSeconds: 1, containers: [container('sleep infinity')] },
    },
  },
});
