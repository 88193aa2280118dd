import type { KubeObject } from '@fairlead/kube';
import { textAt } from '../json-at.ts';
import { groupOf } from '../resource-id.ts';
import { applicationHealth } from './application.ts';
import { autoscalerHealth } from './autoscaler.ts';
import { type Health, health } from './health.ts';
import { cronJobHealth, jobHealth } from './jobs.ts';
import { claimHealth, ingressHealth, serviceHealth } from './network-and-storage.ts';
import { podHealth } from './pod.ts';
import { disruptionBudgetHealth } from './policy.ts';
import { apiServiceHealth, crdHealth } from './registration.ts';
import { daemonSetHealth, deploymentHealth, replicaSetHealth, statefulSetHealth } from './workloads.ts';

type Assess = (object: KubeObject) => Health;

/** By `group/Kind`. A kind that is not here has no health: that it exists is all that can be said. */
const assessments: ReadonlyMap<string, Assess> = new Map<string, Assess>([
  ['apps/Deployment', deploymentHealth],
  ['apps/StatefulSet', statefulSetHealth],
  ['apps/ReplicaSet', replicaSetHealth],
  ['apps/DaemonSet', daemonSetHealth],
  ['networking.k8s.io/Ingress', ingressHealth],
  ['extensions/Ingress', ingressHealth],
  ['/Service', serviceHealth],
  ['/PersistentVolumeClaim', claimHealth],
  ['/Pod', podHealth],
  ['/Namespace', () => health('Healthy')],
  ['batch/Job', jobHealth],
  ['batch/CronJob', cronJobHealth],
  ['autoscaling/HorizontalPodAutoscaler', autoscalerHealth],
  ['policy/PodDisruptionBudget', disruptionBudgetHealth],
  ['apiextensions.k8s.io/CustomResourceDefinition', crdHealth],
  ['apiregistration.k8s.io/APIService', apiServiceHealth],
  ['argoproj.io/Application', applicationHealth],
]);

/** Kinds that say more about their own deletion than that it is pending. */
const tellsOfDeletion = new Set(['apiextensions.k8s.io/CustomResourceDefinition']);

/** How a live object fares, or undefined when its kind has no health. What cannot be read is Unknown, with the reason. */
export function assessHealth(object: KubeObject): Health | undefined {
  const kind = `${groupOf(object.apiVersion)}/${object.kind}`;
  if (textAt(object, 'metadata', 'deletionTimestamp') !== '' && !tellsOfDeletion.has(kind))
    return health('Progressing', 'Pending deletion');
  const assess = assessments.get(kind);
  if (!assess) return undefined;
  try {
    return assess(object);
  } catch (error) {
    return health('Unknown', (error as Error).message);
  }
}
