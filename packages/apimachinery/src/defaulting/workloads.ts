import type {
  DaemonSetFields,
  DeploymentFields,
  PodTemplateFields,
  ReplicaSetFields,
  ReplicationControllerFields,
} from '../fields/workloads.ts';
import { badRequest } from '../meta/api-error.ts';
import type { KubeObject } from '../meta/object.ts';
import { defaultTemplate } from './pod-spec.ts';

export function defaultDeployment(deployment: DeploymentFields): void {
  const spec = (deployment.spec ??= {});
  defaultTemplate((spec.template ??= {}));
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= '25%';
    strategy.rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
}

export function defaultReplicaSet(set: ReplicaSetFields): void {
  const spec = (set.spec ??= {});
  defaultTemplate((spec.template ??= {}));
  spec.replicas ??= 1;
}

/** The selector and the labels default to the labels of the template. */
export function defaultReplicationController(controller: ReplicationControllerFields): void {
  const { metadata } = controller;
  const spec = (controller.spec ??= {});
  const labels = spec.template?.metadata?.labels;
  if (labels) {
    if (isEmpty(spec.selector)) spec.selector = { ...labels };
    if (isEmpty(metadata.labels)) metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  if (spec.template) defaultTemplate(spec.template);
}

const isEmpty = (map: object | undefined): boolean => Object.keys(map ?? {}).length === 0;

export function defaultDaemonSet(set: DaemonSetFields): void {
  setTemplateGeneration(set, templateGenerationOf(set));
  const spec = (set.spec ??= {});
  defaultTemplate((spec.template ??= {}));
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= 1;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
}

/** `spec.templateGeneration` of the internal type, which counts template changes. Clients see it as an annotation. */
const templateGeneration = 'deprecated.daemonset.template.generation';

export function templateGenerationOf({ metadata }: KubeObject): number {
  const text = metadata.annotations?.[templateGeneration];
  if (text === undefined) return 0;
  if (!/^[+-]?\d+$/.test(text)) {
    const why = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
    throw badRequest(`DaemonSet in version "v1" cannot be handled as a DaemonSet: ${why}`);
  }
  return Number(text);
}

export function setTemplateGeneration({ metadata }: KubeObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
}

export const defaultPodTemplate = (object: PodTemplateFields): void => defaultTemplate((object.template ??= {}));
