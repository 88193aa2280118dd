import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind } from '../kind.ts';
import { boolean, int32, list, mapOf, object, oneOf, type Static, string, time } from '../schema.ts';
import { conditions, resources, retry, secretNames, timeout } from './shapes.ts';

export const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob'] as const;
export type WorkloadKind = (typeof workloadKinds)[number];

const schema = object({
  spec: object({
    selector: object(
      {
        matchLabels: mapOf(
          string(),
          'Labels that a workload must have; one with kwarm.io/enabled: "false" never matches.',
        ),
        namespaces: list(string(), 'Namespaces to watch; all if empty.'),
      },
      'The workloads to watch.',
    ),
    nodeSelector: object({ matchLabels: mapOf(string()) }, 'The nodes that get the images; all if empty.'),
    resources,
    retry,
    timeout,
    imagePullSecrets: object(
      {
        inherit: boolean({ default: true, description: 'Use the pull secrets of the workload.' }),
        additional: secretNames('More pull secrets, by name, in the namespace of the workload.'),
      },
      'How pulls authenticate.',
    ),
    workloadKinds: list(oneOf(workloadKinds), 'Kinds to watch; all four when empty.'),
    completedTTL: string({
      default: '1h',
      description: 'How long a finished PrePullImage is kept, such as 1h; 0 keeps it forever.',
    }),
    priority: int32({ default: 0, description: 'Images of a higher priority are pulled first.' }),
    gate: object(
      {
        quorum: int32({
          default: 80,
          minimum: 1,
          maximum: 100,
          description: 'Per cent of the nodes that must have the image.',
        }),
        deadline: string({ default: '5m', description: 'The maximum time that a rollout waits for the quorum.' }),
      },
      'When a rollout that waits for its images may start.',
    ),
  }),
  status: object({
    watchedDeployments: int32('Workloads that this policy watches, of every kind.'),
    lastUpdated: time(),
    conditions,
  }),
});

export const prePullPolicyKind = defineKind({
  group: 'kwarm.io',
  version: 'v1alpha1',
  kind: 'PrePullPolicy',
  plural: 'prepullpolicies',
  namespaced: false,
  description: 'The workloads whose images are pulled before a rollout, the nodes, and the settings.',
  schema,
  statusSubresource: true,
  printerColumns: [
    {
      name: 'Watched',
      type: 'integer',
      jsonPath: '.status.watchedDeployments',
      description: 'Number of watched deployments',
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  additions: ['spec.workloadKinds', 'spec.completedTTL', 'spec.priority', 'spec.gate'],
});

export interface PrePullPolicy extends KubeObject, Static<typeof schema> {}
