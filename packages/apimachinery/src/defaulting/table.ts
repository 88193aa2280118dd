import type { KubeObject } from '../meta/object.ts';
import { defaultApiService, defaultRoleBinding } from './access.ts';
import {
  defaultAdmissionPolicy,
  defaultMutatingWebhooks,
  defaultPolicyBinding,
  defaultValidatingWebhooks,
} from './admission.ts';
import { defaultAutoscaler, defaultAutoscalerV1 } from './autoscaling.ts';
import {
  defaultEndpoints,
  defaultLimitRange,
  defaultNamespace,
  defaultNode,
  defaultPriorityClass,
  defaultResourceQuota,
  defaultSecret,
} from './cluster.ts';
import { defaultCustomResourceDefinition } from './custom-resource-definitions.ts';
import { defaultFlowSchema, defaultPriorityLevel } from './flow-control.ts';
import { defaultCronJob, defaultJob } from './jobs.ts';
import { defaultEndpointSlice, defaultIngressClass, defaultNetworkPolicy } from './networking.ts';
import { defaultPod } from './pods.ts';
import { defaultService } from './services.ts';
import { defaultStatefulSet } from './stateful-sets.ts';
import {
  defaultCsiDriver,
  defaultPersistentVolume,
  defaultPersistentVolumeClaim,
  defaultStorageClass,
  defaultVolumeAttachment,
} from './storage.ts';
import {
  defaultDaemonSet,
  defaultDeployment,
  defaultPodTemplate,
  defaultReplicaSet,
  defaultReplicationController,
} from './workloads.ts';

/**
 * The versioned defaulting of one kind. `apply` sets, in place, the fields that a server sets if a client omits them. It is idempotent. The
 * object has been decoded by the schema of its kind, so its fields have the right types.
 */
export interface KindDefaults {
  apply(object: KubeObject): void;
}

/** By `apiVersion/Kind`. A kind without an entry has no defaults. */
const table: Readonly<Record<string, KindDefaults>> = {
  'v1/Endpoints': { apply: defaultEndpoints },
  'v1/LimitRange': { apply: defaultLimitRange },
  'v1/Namespace': { apply: defaultNamespace },
  'v1/Node': { apply: defaultNode },
  'v1/PersistentVolume': { apply: defaultPersistentVolume },
  'v1/PersistentVolumeClaim': { apply: defaultPersistentVolumeClaim },
  'v1/Pod': { apply: defaultPod },
  'v1/PodTemplate': { apply: defaultPodTemplate },
  'v1/ReplicationController': { apply: defaultReplicationController },
  'v1/ResourceQuota': { apply: defaultResourceQuota },
  'v1/Secret': { apply: defaultSecret },
  'v1/Service': { apply: defaultService },
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy': { apply: defaultAdmissionPolicy },
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding': { apply: defaultPolicyBinding },
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': { apply: defaultMutatingWebhooks },
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': { apply: defaultAdmissionPolicy },
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': { apply: defaultPolicyBinding },
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': { apply: defaultValidatingWebhooks },
  'apiextensions.k8s.io/v1/CustomResourceDefinition': { apply: defaultCustomResourceDefinition },
  'apiregistration.k8s.io/v1/APIService': { apply: defaultApiService },
  'apps/v1/DaemonSet': { apply: defaultDaemonSet },
  'apps/v1/Deployment': { apply: defaultDeployment },
  'apps/v1/ReplicaSet': { apply: defaultReplicaSet },
  'apps/v1/StatefulSet': { apply: defaultStatefulSet },
  'autoscaling/v1/HorizontalPodAutoscaler': { apply: defaultAutoscalerV1 },
  'autoscaling/v2/HorizontalPodAutoscaler': { apply: defaultAutoscaler },
  'batch/v1/CronJob': { apply: defaultCronJob },
  'batch/v1/Job': { apply: defaultJob },
  'discovery.k8s.io/v1/EndpointSlice': { apply: defaultEndpointSlice },
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': { apply: defaultFlowSchema },
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': { apply: defaultPriorityLevel },
  'networking.k8s.io/v1/IngressClass': { apply: defaultIngressClass },
  'networking.k8s.io/v1/NetworkPolicy': { apply: defaultNetworkPolicy },
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': { apply: defaultRoleBinding },
  'rbac.authorization.k8s.io/v1/RoleBinding': { apply: defaultRoleBinding },
  'scheduling.k8s.io/v1/PriorityClass': { apply: defaultPriorityClass },
  'storage.k8s.io/v1/CSIDriver': { apply: defaultCsiDriver },
  'storage.k8s.io/v1/StorageClass': { apply: defaultStorageClass },
  'storage.k8s.io/v1/VolumeAttachment': { apply: defaultVolumeAttachment },
};

/** The kinds that have defaults, as `apiVersion/Kind`. */
export const defaultedKinds: readonly string[] = Object.keys(table);

const defaultsOf = (apiVersion: string, kind: string): KindDefaults | undefined => {
  const key = `${apiVersion}/${kind}`;
  return Object.hasOwn(table, key) ? table[key] : undefined;
};

/** The defaulting of a built-in kind, or undefined when it has none. */
export function defaultsFor(group: string, version: string, kind: string): KindDefaults | undefined {
  return defaultsOf(group === '' ? version : `${group}/${version}`, kind);
}

/**
 * Sets the defaults of a built-in kind in place. The object must have been decoded by its schema (`decodeValue`, `normalize`). Objects of
 * other kinds are not changed.
 */
export function applyDefaults(object: KubeObject): void {
  defaultsOf(object.apiVersion, object.kind)?.apply(object);
}
