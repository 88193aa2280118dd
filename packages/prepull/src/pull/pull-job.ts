import type { PrePullImage } from '@fairlead/api';
import { type Condition, type KubeObject, keyOf } from '@fairlead/apimachinery';
import { names, uniqueName } from '../names.ts';
import type { PullSettings } from '../policy/pull-settings.ts';

/** A Job, with the fields that are read here. */
export interface Job extends KubeObject {
  spec: Record<string, unknown>;
  status?: { conditions?: Condition[]; startTime?: string };
}

/** One attempt to pull an image on a node. */
export interface Pull {
  readonly node: string;
  /** The number of failed attempts before this one. */
  readonly attempt: number;
}

/** The restricted profile requires a user other than root, and the image need not define one. */
const nobody = 65532;
/** Jobs are deleted when their outcome is known. The TTL removes those that remain when no controller runs. */
const ttlSeconds = 900;

export const jobNameOf = (image: PrePullImage, { node, attempt }: Pull): string =>
  uniqueName(image.metadata.name, image.metadata.uid ?? '', image.spec?.image ?? '', node, String(attempt));

/**
 * The Job that makes one kubelet pull one image. Nothing in the image runs: the command does not exist, so the container fails to start,
 * with or without a shell in the image, and only the pull has happened. The Job is in the namespace of the PrePullImage, where the
 * tenant's pull secrets are, unless another namespace is given.
 */
export function pullJob(image: PrePullImage, settings: PullSettings, pull: Pull, jobNamespace?: string): Job {
  const { metadata, spec } = image;
  const namespace = jobNamespace ?? metadata.namespace;
  const labels = { 'app.kubernetes.io/managed-by': 'fairlead', [names.image]: metadata.uid ?? '' };
  const annotations = {
    [names.owner]: keyOf(image),
    [names.node]: pull.node,
    [names.reference]: settings.reference,
    [names.attempt]: String(pull.attempt),
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameOf(image, pull),
      ...(namespace ? { namespace } : {}),
      labels,
      annotations,
      // The garbage collector deletes a Job whose owner is in another namespace.
      ...(namespace === metadata.namespace ? { ownerReferences: [ownerOf(image)] } : {}),
    },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: Math.ceil(settings.timeoutMs / 1000),
      ttlSecondsAfterFinished: ttlSeconds,
      template: {
        metadata: { labels, annotations },
        spec: {
          affinity: onNode(pull.node),
          tolerations: [{ operator: 'Exists' }],
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 0,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: { runAsNonRoot: true, runAsUser: nobody, seccompProfile: { type: 'RuntimeDefault' } },
          ...(spec?.imagePullSecrets?.length ? { imagePullSecrets: spec.imagePullSecrets } : {}),
          containers: [
            {
              name: 'pull',
              image: settings.reference,
              imagePullPolicy: settings.image.digest === undefined ? 'Always' : 'IfNotPresent',
              command: ['/pulled-and-not-started'],
              resources: spec?.resources ?? {
                requests: { cpu: '100m', memory: '64Mi' },
                limits: { cpu: '500m', memory: '256Mi' },
              },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  };
}

const ownerOf = ({ apiVersion, kind, metadata }: PrePullImage) => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: false,
});

/** By node name, as DaemonSets do: the hostname label may differ or be missing. */
const onNode = (node: string) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
    },
  },
});

/** The pull that a Job performs, from its annotations. */
export function pullOf(job: Job): Pull & {
  readonly reference: string;
  /** `namespace/name` of its PrePullImage. */
  readonly owner: string;
  readonly tenant: string;
} {
  const { annotations = {}, namespace = '', ownerReferences = [] } = job.metadata;
  const ownerName = ownerReferences.find(({ kind }) => kind === 'PrePullImage')?.name ?? '';
  const owner = annotations[names.owner] ?? `${namespace}/${ownerName}`;
  return {
    owner,
    tenant: owner.slice(0, owner.indexOf('/')),
    node: annotations[names.node] ?? '',
    attempt: Number(annotations[names.attempt] ?? 0),
    reference: annotations[names.reference] ?? '',
  };
}
