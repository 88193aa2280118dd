import { type KubeObject, listAt, messageOf, textAt } from '@fairlead/apimachinery';
import { groupOf } from '../resource-id.ts';
import { hookFinalizer } from '../sync/hook.ts';
import { applicationHealth } from './application.ts';
import { autoscalerHealth } from './autoscaler.ts';
import { type Health, health } from './health.ts';
import { cronJobHealth, jobHealth } from './jobs.ts';
import { claimHealth, ingressHealth, serviceHealth } from './network-and-storage.ts';
import { podHealth } from './pod.ts';
import { disruptionBudgetHealth } from './policy.ts';
import { apiServiceHealth, crdHealth } from './registration.ts';
import { evaluateRule } from './rules/evaluate-rule.ts';
import { operatorRules } from './rules/kinds/index.ts';
import { daemonSetHealth, deploymentHealth, replicaSetHealth, statefulSetHealth } from './workloads.ts';

type Assess = (object: KubeObject) => Health;

/** By `group/Kind`. A kind that is neither here nor among the rules for operators has no health. */
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
  ['batch/Job', jobHealth],
  ['batch/CronJob', cronJobHealth],
  ['autoscaling/HorizontalPodAutoscaler', autoscalerHealth],
  ['policy/PodDisruptionBudget', disruptionBudgetHealth],
  ['apiextensions.k8s.io/CustomResourceDefinition', crdHealth],
  ['apiregistration.k8s.io/APIService', apiServiceHealth],
  ['argoproj.io/Application', applicationHealth],
]);

export interface HealthOptions {
  /** The custom health check of a kind: called first; undefined falls back to the built-in check, null means no health. */
  readonly customHealth?: (object: KubeObject) => Health | null | undefined;
}

/** The health of a live object, or undefined if its kind has none. A status that does not parse is Unknown, with the reason. */
export function assessHealth(object: KubeObject, options: HealthOptions = {}): Health | undefined {
  if (isPendingDeletion(object)) return health('Progressing', 'Pending deletion');
  const custom = readingIt(() => options.customHealth?.(object));
  return custom === undefined ? healthOfKind(object) : (custom ?? undefined);
}

/** Such an object is Progressing, regardless of its status. */
export const isPendingDeletion = (object: KubeObject): boolean =>
  textAt(object, 'metadata', 'deletionTimestamp') !== '' &&
  !listAt(object, 'metadata', 'finalizers').includes(hookFinalizer);

/** The health by the kind of the object, whether or not it is being deleted. */
export function healthOfKind(object: KubeObject): Health | undefined {
  const [group, kind] = [groupOf(textAt(object, 'apiVersion')), textAt(object, 'kind')];
  return readingIt(() => {
    const assess = assessments.get(`${group}/${kind}`);
    if (assess) return assess(object);
    const rule = operatorRules.find(group, kind);
    return rule && evaluateRule(rule, object);
  });
}

function readingIt<T>(assess: () => T): T | Health {
  try {
    return assess();
  } catch (error) {
    return health('Unknown', messageOf(error));
  }
}
