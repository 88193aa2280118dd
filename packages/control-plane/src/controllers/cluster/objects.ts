import type { KubeObject, Taint } from '@fairlead/apimachinery';
import type { ClaimSpec } from '../../kinds/cluster/storage/claim-types.ts';
import type { VolumeSpec } from '../../kinds/cluster/storage/volume-types.ts';
import type { PodCondition, PodSpec, PodStatus, ResourceList } from '../../kinds/workloads/pod-spec/types.ts';

/** The fields of built-in objects that the cluster controllers read. */
export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: PodStatus & { reason?: string; message?: string; startTime?: string };
}

export interface NodeCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastHeartbeatTime?: string | null;
  lastTransitionTime?: string | null;
}

export interface Node extends KubeObject {
  spec?: { taints?: Taint[]; unschedulable?: boolean; podCIDR?: string };
  status?: {
    capacity?: ResourceList;
    allocatable?: ResourceList;
    conditions?: NodeCondition[];
    images?: { names?: string[]; sizeBytes?: number }[];
  };
}

export interface Claim extends KubeObject {
  spec: ClaimSpec;
  status?: { phase?: string; accessModes?: string[]; capacity?: ResourceList };
}

export interface ClaimRef {
  kind?: string;
  apiVersion?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

export interface Volume extends KubeObject {
  spec: Omit<VolumeSpec, 'claimRef'> & { claimRef?: ClaimRef };
  status?: { phase?: string; message?: string; reason?: string };
}

export interface StorageClass extends KubeObject {
  provisioner?: string;
  reclaimPolicy?: string;
  mountOptions?: string[];
  volumeBindingMode?: string;
  allowedTopologies?: { matchLabelExpressions?: { key?: string; values?: string[] }[] }[];
}

export const isFinished = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export const podCondition = (pod: Pod, type: string): PodCondition | undefined =>
  pod.status?.conditions?.find((condition) => condition.type === type);

export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True';

/** The claims of the volumes of a pod, including those of ephemeral volumes. */
export function claimNames(pod: Pod): { name: string; ephemeral: boolean }[] {
  return (pod.spec.volumes ?? []).flatMap((volume): { name: string; ephemeral: boolean }[] => {
    if (volume.persistentVolumeClaim) {
      return [{ name: volume.persistentVolumeClaim.claimName ?? '', ephemeral: false }];
    }
    return volume.ephemeral ? [{ name: `${pod.metadata.name}-${volume.name}`, ephemeral: true }] : [];
  });
}
