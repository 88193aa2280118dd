import type { KubeObject } from '@fairlead/apimachinery';
import { formatTime } from '@fairlead/apimachinery';
import { revisionAnnotation, sizeAnnotations } from '../../src/controllers/workloads/deployment/annotations.ts';
import type {
  Deployment,
  Pod,
  PodTemplate,
  ReplicaSet,
  ReplicaSetStatus,
} from '../../src/controllers/workloads/kinds.ts';

/** Objects for tests, as returned by a server. */
export const at = (second: number): string => formatTime(Date.UTC(2030, 0, 1) + second * 1000);
export const now = Date.UTC(2030, 0, 1, 1);

export const template = (image = 'a:1', labels: Record<string, string> = { app: 'web' }): PodTemplate => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image }], restartPolicy: 'Always' },
});

const owner = (kind: string, name: string, uid: string) => ({
  apiVersion: 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

export interface PodSample {
  readonly name?: string;
  readonly node?: string | undefined;
  readonly phase?: string;
  /** The second since which it is ready. */
  readonly ready?: number;
  readonly restarts?: number;
  readonly created?: number;
  readonly deleted?: boolean;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly finalizers?: string[];
  readonly ownedBy?: KubeObject;
}

let serial = 0;

export function pod(sample: PodSample = {}): Pod {
  serial += 1;
  const { name = `pod-${serial}`, phase = sample.ready === undefined ? 'Pending' : 'Running', ready, ownedBy } = sample;
  const node = 'node' in sample ? sample.node : 'node-1';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      creationTimestamp: at(sample.created ?? 0),
      labels: sample.labels ?? { app: 'web' },
      ...(sample.annotations ? { annotations: sample.annotations } : {}),
      ...(sample.finalizers ? { finalizers: sample.finalizers } : {}),
      ...(sample.deleted ? { deletionTimestamp: at(100), deletionGracePeriodSeconds: 30 } : {}),
      ...(ownedBy ? { ownerReferences: [owner(ownedBy.kind, ownedBy.metadata.name, ownedBy.metadata.uid!)] } : {}),
    },
    spec: { containers: [{ name: 'c', image: 'a:1' }], ...(node ? { nodeName: node } : {}) },
    status: {
      phase,
      ...(ready === undefined
        ? {}
        : { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(ready) }] }),
      containerStatuses: [{ name: 'c', restartCount: sample.restarts ?? 0 }],
    },
  };
}

export function deployment(spec: Partial<Deployment['spec']> = {}, rest: Partial<Deployment> = {}): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-web', generation: 1, creationTimestamp: at(0) },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: template(),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      ...spec,
    },
    ...rest,
  };
}

export interface SetSample {
  readonly image?: string;
  readonly replicas: number;
  readonly revision?: number;
  readonly available?: number;
  readonly status?: Partial<ReplicaSetStatus>;
  readonly annotations?: Record<string, string>;
}

/** A ReplicaSet of the Deployment that was observed by its controller and has all its pods. */
export function replicaSet(parent: Deployment, name: string, sample: SetSample): ReplicaSet {
  const { image = 'a:1', replicas, revision = 1, available = replicas } = sample;
  const labels = { app: 'web', 'pod-template-hash': name };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${name}`,
      namespace: 'shop',
      uid: `uid-${name}`,
      generation: 1,
      creationTimestamp: at(revision),
      labels,
      annotations: sample.annotations ?? { ...sizeAnnotations(parent), [revisionAnnotation]: String(revision) },
      ownerReferences: [owner('Deployment', 'web', 'uid-web')],
    },
    spec: { replicas, selector: { matchLabels: labels }, template: template(image, labels) },
    status: {
      replicas,
      ...(available > 0 ? { readyReplicas: available, availableReplicas: available } : {}),
      terminatingReplicas: 0,
      observedGeneration: 1,
      ...sample.status,
    },
  };
}
