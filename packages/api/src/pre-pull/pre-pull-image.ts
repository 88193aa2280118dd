import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind } from '../kind.ts';
import { int32, list, object, oneOf, required, type Static, string, time } from '../schema.ts';
import { conditions, labelSelector, resources, retry, secretNames, timeout } from './shapes.ts';

const schema = object({
  spec: object({
    image: required(string('The image to pull.')),
    imageDigest: string('sha256:…; the image with this digest is pulled, regardless of the tag.'),
    nodes: object(
      { names: list(string(), 'Nodes by name.'), selector: labelSelector },
      'The nodes that get the image: by name, otherwise by selector; all if empty.',
    ),
    imagePullSecrets: secretNames('Pull secrets, by name, in this namespace.'),
    resources,
    retry,
    timeout,
    completedTTL: string({
      default: '1h',
      description: 'How long it is kept after it has finished; 0 keeps it forever.',
    }),
    priority: int32({ default: 0, description: 'Images of a higher priority are pulled first.' }),
  }),
  status: object({
    phase: oneOf(['Pending', 'InProgress', 'Completed', 'Failed'], { default: 'Pending' }),
    startTime: time(),
    completionTime: time(),
    summary: object({
      total: required(int32()),
      completed: required(int32()),
      failed: required(int32()),
      pending: required(int32()),
      pulling: required(int32()),
    }),
    nodeStatus: list(
      object({
        node: required(string()),
        status: required(oneOf(['Pending', 'Pulling', 'Completed', 'Failed'])),
        jobName: string('The Job that pulls, or pulled last.'),
        startedAt: time(),
        completedAt: time(),
        duration: string('How long the pull took.'),
        retryCount: int32('Attempts that have failed.'),
        error: string('The last message of the registry, the kubelet or the cluster.'),
      }),
    ),
    conditions,
  }),
});

export const prePullImageKind = defineKind({
  group: 'kwarm.io',
  version: 'v1alpha1',
  kind: 'PrePullImage',
  plural: 'prepullimages',
  namespaced: true,
  description: 'An image to pull on nodes, and its progress.',
  schema,
  statusSubresource: true,
  printerColumns: [
    { name: 'Image', type: 'string', jsonPath: '.spec.image', description: 'Container image' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Current phase' },
    { name: 'Completed', type: 'integer', jsonPath: '.status.summary.completed', description: 'Completed nodes' },
    { name: 'Total', type: 'integer', jsonPath: '.status.summary.total', description: 'Total nodes' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  additions: ['spec.completedTTL', 'spec.priority'],
});

export interface PrePullImage extends KubeObject, Static<typeof schema> {}
export type PrePullImageSpec = NonNullable<PrePullImage['spec']>;
export type PrePullImageStatus = NonNullable<PrePullImage['status']>;
export type NodePullStatus = NonNullable<PrePullImageStatus['nodeStatus']>[number];
