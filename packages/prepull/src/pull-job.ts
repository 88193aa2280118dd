import type { PrePullImage } from '@fairlead/api';
import { names, uniqueName } from './names.ts';
import type { Job } from './objects.ts';
import type { PullSettings } from './pull-settings.ts';

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
 * pull secrets of its tenant are.
 */
export function pullJob(image: PrePullImage, settings: PullSettings, pull: Pull): Job {
  const { metadata, spec } = image;
  const labels = { 'app.kubernetes.io/managed-by': 'fairlead', [names.image]: metadata.uid ?? '' };
  const annotations = {
    [names.node]: pull.node,
    [names.reference]: settings.reference,
    [names.attempt]: String(pull.attempt),
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameOf(image, pull),
      ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
      labels,
      annotations,
      ownerReferences: [
        {
          apiVersion: image.apiVersion,
          kind: image.kind,
          name: metadata.name,
          uid: metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
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

/** By the name of the node itself, as DaemonSets do: its hostname label may be another, or none. */
const onNode = (node: string) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
    },
  },
});

/** What a pull Job says of itself. */
export function pullOf(job: Job): Pull & { readonly reference: string } {
  const { annotations = {} } = job.metadata;
  return {
    node: annotations[names.node] ?? '',
    attempt: Number(annotations[names.attempt] ?? 0),
    reference: annotations[names.reference] ?? '',
  };
}
