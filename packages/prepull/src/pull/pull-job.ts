import type { PrePullImage } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import { names, uniqueName } from '../names.ts';
import type { Job } from '../objects.ts';
import type { PullSettings } from '../policy/pull-settings.ts';

/** One try to have an image on a node. */
export interface Pull {
  readonly node: string;
  /** Tries that failed before this one. */
  readonly attempt: number;
}

/** A user that is nobody: the restricted profile asks for one that is not root, and an image need not have any. */
const nobody = 65532;
/** Jobs are deleted as soon as their outcome is known. This is for those that are left behind when nobody is there to do it. */
const leftBehindSeconds = 900;

export const jobNameOf = (image: PrePullImage, { node, attempt }: Pull): string =>
  uniqueName(image.metadata.name, image.metadata.uid ?? '', image.spec?.image ?? '', node, String(attempt));

/**
 * The Job that makes one kubelet pull one image. Nothing of the image is run: its command does not exist, so the container ends where it
 * would start, whether the image has a shell or not, and the pull is what remains. It stands in the namespace of the PrePullImage, where the
 * pull secrets of its tenant are, unless another is given.
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
      // An owner in another namespace counts as gone, and the Job would go at once.
      ...(namespace === metadata.namespace ? { ownerReferences: [ownerOf(image)] } : {}),
    },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: Math.ceil(settings.timeoutMs / 1000),
      ttlSecondsAfterFinished: leftBehindSeconds,
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
              imagePullPolicy: settings.name.digest === undefined ? 'Always' : 'IfNotPresent',
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

/** By the name of the node itself, as DaemonSets do: its hostname label may be another, or none. */
const onNode = (node: string) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
    },
  },
});

/** What a pull Job says of itself. */
export function pullOf(job: Job): Pull & {
  readonly reference: string;
  /** `namespace/name` of its PrePullImage. */
  readonly owner: string;
  readonly tenant: string;
} {
  const { annotations = {}, namespace = '', ownerReferences = [] } = job.metadata;
  const named = ownerReferences.find(({ kind }) => kind === 'PrePullImage')?.name ?? '';
  const owner = annotations[names.owner] ?? `${namespace}/${named}`;
  return {
    owner,
    tenant: owner.slice(0, owner.indexOf('/')),
    node: annotations[names.node] ?? '',
    attempt: Number(annotations[names.attempt] ?? 0),
    reference: annotations[names.reference] ?? '',
  };
}
