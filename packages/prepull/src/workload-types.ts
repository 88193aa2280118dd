import {
  cronJobType,
  daemonSetType,
  deploymentType,
  isConditionTrue,
  type Node,
  type ResourceType,
  statefulSetType,
} from '@fairlead/apimachinery';

/** The kinds whose images are pre-pulled. */
export const workloadTypes: readonly ResourceType[] = [deploymentType, statefulSetType, daemonSetType, cronJobType];

export const isReady = (node: Node): boolean => isConditionTrue(node.status?.conditions, 'Ready');
