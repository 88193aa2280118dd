import type { JsonObject } from '../json/json-value.ts';
import type { Toleration } from '../kinds/core.ts';
import type { KubeObject } from '../meta/object.ts';
import type { LabelSelector } from '../validation/labels.ts';
import type { Volume } from './volumes.ts';

export interface PodFields extends KubeObject {
  spec?: PodSpecFields;
  status?: PodStatus;
}

export interface PodSpecFields {
  volumes?: Volume[];
  initContainers?: ContainerFields[];
  containers?: ContainerFields[];
  ephemeralContainers?: EphemeralContainer[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  hostUsers?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: { name?: string }[];
  hostname?: string;
  hostnameOverride?: string;
  subdomain?: string;
  setHostnameAsFQDN?: boolean;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: { ip?: string; hostnames?: string[] }[];
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: string;
  dnsConfig?: { nameservers?: string[]; searches?: string[]; options?: { name?: string; value?: string }[] };
  readinessGates?: { conditionType?: string }[];
  schedulingGates?: { name?: string }[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  overhead?: ResourceList;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  os?: { name?: string };
  resourceClaims?: PodResourceClaim[];
  resources?: ResourceRequirements;
  schedulingGroup?: { podGroupName?: string };
}

export type ResourceList = Record<string, string>;

export interface ResourceRequirements {
  limits?: ResourceList;
  requests?: ResourceList;
  claims?: { name?: string; request?: string }[];
}

export interface PodResourceClaim {
  name?: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}

export interface ContainerFields {
  name?: string;
  image?: string;
  imagePullPolicy?: string;
  command?: string[];
  args?: string[];
  ports?: ContainerPort[];
  env?: EnvVar[];
  envFrom?: EnvFromSource[];
  resources?: ResourceRequirements;
  resizePolicy?: { resourceName?: string; restartPolicy?: string }[];
  restartPolicy?: string;
  restartPolicyRules?: { action?: string; exitCodes?: { operator?: string; values?: number[] } }[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: { name?: string; devicePath?: string }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  securityContext?: SecurityContext;
}

export interface EphemeralContainer extends ContainerFields {
  targetContainerName?: string;
}

export interface ContainerPort {
  name?: string;
  containerPort?: number;
  hostPort?: number;
  hostIP?: string;
  protocol?: string;
}

export interface EnvVar {
  name?: string;
  value?: string;
  valueFrom?: {
    fieldRef?: FieldRef;
    resourceFieldRef?: ResourceFieldRef;
    configMapKeyRef?: KeyRef;
    secretKeyRef?: KeyRef;
    fileKeyRef?: { key?: string; volumeName?: string; path?: string; optional?: boolean };
  };
}

export interface KeyRef {
  name?: string;
  key?: string;
}

export interface FieldRef {
  apiVersion?: string;
  fieldPath?: string;
}

export interface ResourceFieldRef {
  containerName?: string;
  resource?: string;
  divisor?: string;
}

export interface EnvFromSource {
  prefix?: string;
  configMapRef?: { name?: string };
  secretRef?: { name?: string };
}

export interface VolumeMount {
  name?: string;
  mountPath?: string;
  subPath?: string;
  subPathExpr?: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPropagation?: string;
}

export interface Handler {
  exec?: { command?: string[] };
  httpGet?: HttpGet;
  tcpSocket?: { host?: string; port?: number | string };
  grpc?: { port?: number; service?: string };
  sleep?: { seconds?: number };
}

export interface HttpGet {
  host?: string;
  path?: string;
  port?: number | string;
  scheme?: string;
  httpHeaders?: { name?: string; value?: string }[];
}

export interface Probe extends Handler {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}

export interface Lifecycle {
  postStart?: Handler;
  preStop?: Handler;
  stopSignal?: string;
}

export interface Profile {
  type?: string;
  localhostProfile?: string;
}

export interface WindowsOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}

export interface SecurityContext {
  privileged?: boolean;
  allowPrivilegeEscalation?: boolean;
  readOnlyRootFilesystem?: boolean;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  procMount?: string;
  capabilities?: { add?: string[]; drop?: string[] };
  seccompProfile?: Profile;
  appArmorProfile?: Profile;
  seLinuxOptions?: { type?: string; user?: string; role?: string; level?: string };
  windowsOptions?: WindowsOptions;
}

export interface PodSecurityContext {
  fsGroup?: number;
  fsGroupChangePolicy?: string;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  supplementalGroups?: number[];
  supplementalGroupsPolicy?: string;
  seLinuxChangePolicy?: string;
  sysctls?: { name?: string; value?: string }[];
  seccompProfile?: Profile;
  appArmorProfile?: Profile;
  seLinuxOptions?: SecurityContext['seLinuxOptions'];
  windowsOptions?: WindowsOptions;
}

export interface NodeSelectorRequirementFields {
  key?: string;
  operator?: string;
  values?: string[];
}

export interface NodeSelectorTermFields {
  matchExpressions?: NodeSelectorRequirementFields[];
  matchFields?: NodeSelectorRequirementFields[];
}

export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTermFields[] };
  preferredDuringSchedulingIgnoredDuringExecution?: { weight?: number; preference?: NodeSelectorTermFields }[];
}

export interface PodAffinityTerm {
  labelSelector?: MutableSelector;
  namespaceSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey?: string;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

export interface MutableSelector extends LabelSelector {
  matchExpressions?: { key?: string; operator?: string; values?: string[] }[];
}

export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: { weight?: number; podAffinityTerm?: PodAffinityTerm }[];
}

export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAffinity;
}

export interface TopologySpreadConstraint {
  maxSkew?: number;
  topologyKey?: string;
  whenUnsatisfiable?: string;
  labelSelector?: MutableSelector;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
}

export interface TemplateMeta {
  name?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** The template from which a workload creates pods. */
export interface PodTemplateSpec {
  metadata?: TemplateMeta;
  spec?: PodSpecFields;
}

export interface PodStatus {
  phase?: string;
  qosClass?: string;
  observedGeneration?: number;
  nominatedNodeName?: string;
  conditions?: PodCondition[];
  hostIP?: string;
  hostIPs?: { ip?: string }[];
  podIP?: string;
  podIPs?: { ip?: string }[];
  containerStatuses?: ContainerStatusFields[];
  initContainerStatuses?: ContainerStatusFields[];
  ephemeralContainerStatuses?: ContainerStatusFields[];
  resourceClaimStatuses?: { name?: string; resourceClaimName?: string }[];
  extendedResourceClaimStatus?: ExtendedResourceClaimStatus;
}

export interface ExtendedResourceClaimStatus {
  requestMappings?: { containerName?: string; resourceName?: string; requestName?: string }[];
  resourceClaimName?: string;
}

export interface PodCondition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
}

export interface ContainerStatusFields {
  name?: string;
  ready?: boolean;
  restartCount?: number;
  image?: string;
  imageID?: string;
  state?: ContainerState;
  lastState?: ContainerState;
  resources?: JsonObject;
  allocatedResourcesStatus?: {
    name?: string;
    resources?: { resourceID?: string; health?: string; message?: string }[];
  }[];
  volumeMounts?: { volumeStatus?: JsonObject }[];
  user?: { linux?: { uid?: number; gid?: number; supplementalGroups?: number[] } };
}

export interface ContainerState {
  waiting?: JsonObject;
  running?: { startedAt?: string | null };
  terminated?: { exitCode?: number; startedAt?: string | null; finishedAt?: string | null };
}
