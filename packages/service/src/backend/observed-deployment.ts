import { type GitOpsDeployment, type GitOpsDeploymentSpec, gitopsDeploymentKind } from '@fairlead/api';
import type { Condition } from '@fairlead/apimachinery';
import { apiVersionOf, type KubeObject, type ObjectMeta } from '@fairlead/apimachinery';
import { stableHash } from '../stable-hash.ts';

/** The part of a GitOpsDeployment that is kept in memory: its spec, and enough of its status to decide whether to write another. */
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
    // One shared string instead of a copy for each object.
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
