import type { GitOpsDeployment, GitOpsDeploymentSpec } from '@fairlead/api';
import type { KubeObject, ObjectMeta } from '@fairlead/kube';
import type { Condition } from '../conditions.ts';
import { stableHash } from '../stable-hash.ts';

/** What is kept in memory of a GitOpsDeployment: its wish, and of its status what decides whether another is to be written. */
export interface SeenDeployment extends KubeObject {
  readonly spec: GitOpsDeploymentSpec;
  readonly conditions: readonly Partial<Condition>[];
  readonly statusHash: string;
}

export function seenDeployment(object: GitOpsDeployment): SeenDeployment {
  const { apiVersion, kind, spec, status } = object;
  return {
    apiVersion,
    kind,
    metadata: essentialMeta(object.metadata),
    spec,
    conditions: status?.conditions ?? [],
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
