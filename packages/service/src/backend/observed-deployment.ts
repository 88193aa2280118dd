import { type GitOpsDeployment, type GitOpsDeploymentSpec, gitopsDeploymentKind } from '@fairlead/api';
import type { Condition } from '@fairlead/apimachinery';
import { apiVersionOf, type KubeObject, type ObjectMeta } from '@fairlead/apimachinery';
import { stableHash } from '../stable-hash.ts';

/** What is kept in memory of a GitOpsDeployment: its wish, and of its status what decides whether another is to be written. */
export interface ObservedDeployment extends KubeObject {
  readonly spec: GitOpsDeploymentSpec;
  readonly conditions: readonly Partial<Condition>[];
  readonly statusHash: string;
}

const deploymentVersion = apiVersionOf(gitopsDeploymentKind.type);
const noConditions: readonly Partial<Condition>[] = [];

export function observedDeployment(object: GitOpsDeployment): ObservedDeployment {
  const { spec, status } = object;
  return {
    // The same text for all of them, instead of a copy each.
    apiVersion: deploymentVersion,
    kind: gitopsDeploymentKind.type.kind,
    metadata: essentialMeta(object.metadata),
    spec,
    conditions: status?.conditions ?? noConditions,
    statusHash: stableHash(status ?? {}),
  };
}

export function essentialMeta(metadata: ObjectMeta): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp, finalizers } =
    metadata;
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(generation === undefined ? {} : { generation }),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(finalizers === undefined ? {} : { finalizers }),
  };
}
