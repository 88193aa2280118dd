/**
 * Fields with a closed list of values, as published by a real server: `kubectl explain` shows them. Each row is the values, then the
 * fields: `group/version Type.field …`. The empty string is a value too.
 */
const rows: readonly (readonly [words: string, ...places: string[]])[] = [
  [
    '*|Cluster|Namespaced',
    'admissionregistration/v1 Rule.scope NamedRuleWithOperations.scope RuleWithOperations.scope',
  ],
  [
    'Fail|Ignore',
    'admissionregistration/v1 ValidatingAdmissionPolicySpec.failurePolicy MutatingAdmissionPolicySpec.failurePolicy ValidatingWebhook.failurePolicy MutatingWebhook.failurePolicy',
  ],
  ['Audit|Deny|Warn', 'admissionregistration/v1 ValidatingAdmissionPolicyBindingSpec.validationActions'],
  [
    'Equivalent|Exact',
    'admissionregistration/v1 MatchResources.matchPolicy ValidatingWebhook.matchPolicy MutatingWebhook.matchPolicy',
  ],
  [
    'None|NoneOnDryRun|Some|Unknown',
    'admissionregistration/v1 ValidatingWebhook.sideEffects MutatingWebhook.sideEffects',
  ],
  [
    'IfNeeded|Never',
    'admissionregistration/v1 MutatingWebhook.reinvocationPolicy MutatingAdmissionPolicySpec.reinvocationPolicy',
  ],
  ['ApplyConfiguration|JSONPatch', 'admissionregistration/v1 Mutation.patchType'],
  [
    '*|CONNECT|CREATE|DELETE|UPDATE',
    'admissionregistration/v1 RuleWithOperations.operations NamedRuleWithOperations.operations',
  ],
  ['OnDelete|RollingUpdate', 'apps/v1 StatefulSetUpdateStrategy.type DaemonSetUpdateStrategy.type'],
  ['OrderedReady|Parallel', 'apps/v1 StatefulSetSpec.podManagementPolicy'],
  ['Recreate|RollingUpdate', 'apps/v1 DeploymentStrategy.type'],
  ['In|NotIn', 'batch/v1 PodFailurePolicyOnExitCodesRequirement.operator'],
  ['Count|FailIndex|FailJob|Ignore', 'batch/v1 PodFailurePolicyRule.action'],
  ['Indexed|NonIndexed', 'batch/v1 JobSpec.completionMode'],
  ['Failed|TerminatingOrFailed', 'batch/v1 JobSpec.podReplacementPolicy'],
  ['Allow|Forbid|Replace', 'batch/v1 CronJobSpec.concurrencyPolicy'],
  [
    'any|cert sign|client auth|code signing|content commitment|crl sign|data encipherment|decipher only|digital signature|email protection|encipher only|ipsec end system|ipsec tunnel|ipsec user|key agreement|key encipherment|microsoft sgc|netscape sgc|ocsp signing|s/mime|server auth|signing|timestamping',
    'certificates/v1 CertificateSigningRequestSpec.usages',
  ],
  [
    'ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod',
    'core/v1 PersistentVolumeSpec.accessModes PersistentVolumeClaimSpec.accessModes PersistentVolumeClaimStatus.accessModes',
  ],
  [
    'Delete|Recycle|Retain',
    'core/v1 PersistentVolumeSpec.persistentVolumeReclaimPolicy',
    'storage/v1 StorageClass.reclaimPolicy',
  ],
  ['Block|Filesystem', 'core/v1 PersistentVolumeSpec.volumeMode PersistentVolumeClaimSpec.volumeMode'],
  ['Available|Bound|Failed|Pending|Released', 'core/v1 PersistentVolumeStatus.phase'],
  ['InProgress|Infeasible|Pending', 'core/v1 ModifyVolumeStatus.status'],
  ['Bound|Lost|Pending', 'core/v1 PersistentVolumeClaimStatus.phase'],
  ['|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket', 'core/v1 HostPathVolumeSource.type'],
  ['None|ReadOnly|ReadWrite', 'core/v1 AzureDiskVolumeSource.cachingMode'],
  ['Dedicated|Managed|Shared', 'core/v1 AzureDiskVolumeSource.kind'],
  [
    'SCTP|TCP|UDP',
    'core/v1 ContainerPort.protocol ServicePort.protocol EndpointPort.protocol PortStatus.protocol',
    'discovery/v1 EndpointPort.protocol',
    'networking/v1 NetworkPolicyPort.protocol IngressPortStatus.protocol',
  ],
  ['Bidirectional|HostToContainer|None', 'core/v1 VolumeMount.mountPropagation'],
  ['HTTP|HTTPS', 'core/v1 HTTPGetAction.scheme'],
  [
    'FallbackToLogsOnError|File',
    'core/v1 Container.terminationMessagePolicy EphemeralContainer.terminationMessagePolicy',
  ],
  [
    'Always|IfNotPresent|Never',
    'core/v1 Container.imagePullPolicy EphemeralContainer.imagePullPolicy ImageVolumeSource.pullPolicy',
  ],
  [signals(), 'core/v1 Lifecycle.stopSignal ContainerStatus.stopSignal'],
  ['DoesNotExist|Exists|Gt|In|Lt|NotIn', 'core/v1 NodeSelectorRequirement.operator'],
  ['NoExecute|NoSchedule|PreferNoSchedule', 'core/v1 Taint.effect Toleration.effect'],
  ['Equal|Exists|Gt|Lt', 'core/v1 Toleration.operator'],
  ['Always|Never|OnFailure', 'core/v1 PodSpec.restartPolicy'],
  ['ClusterFirst|ClusterFirstWithHostNet|Default|None', 'core/v1 PodSpec.dnsPolicy'],
  ['Never|PreemptLowerPriority', 'core/v1 PodSpec.preemptionPolicy', 'scheduling/v1 PriorityClass.preemptionPolicy'],
  ['DoNotSchedule|ScheduleAnyway', 'core/v1 TopologySpreadConstraint.whenUnsatisfiable'],
  ['Honor|Ignore', 'core/v1 TopologySpreadConstraint.nodeAffinityPolicy TopologySpreadConstraint.nodeTaintsPolicy'],
  ['Merge|Strict', 'core/v1 PodSecurityContext.supplementalGroupsPolicy'],
  ['Always|OnRootMismatch', 'core/v1 PodSecurityContext.fsGroupChangePolicy'],
  ['Localhost|RuntimeDefault|Unconfined', 'core/v1 SeccompProfile.type AppArmorProfile.type'],
  ['Default|Unmasked', 'core/v1 SecurityContext.procMount'],
  ['Failed|Pending|Running|Succeeded|Unknown', 'core/v1 PodStatus.phase'],
  ['BestEffort|Burstable|Guaranteed', 'core/v1 PodStatus.qosClass'],
  ['ClusterIP|ExternalName|LoadBalancer|NodePort', 'core/v1 ServiceSpec.type'],
  ['ClientIP|None', 'core/v1 ServiceSpec.sessionAffinity'],
  ['Cluster|Local', 'core/v1 ServiceSpec.externalTrafficPolicy ServiceSpec.internalTrafficPolicy'],
  ['|IPv4|IPv6', 'core/v1 ServiceSpec.ipFamilies'],
  ['PreferDualStack|RequireDualStack|SingleStack', 'core/v1 ServiceSpec.ipFamilyPolicy'],
  ['Pending|Running|Terminated', 'core/v1 NodeStatus.phase'],
  ['Active|Terminating', 'core/v1 NamespaceStatus.phase'],
  [
    'BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|VolumeAttributesClass',
    'core/v1 ResourceQuotaSpec.scopes ScopedResourceSelectorRequirement.scopeName',
  ],
  ['DoesNotExist|Exists|In|NotIn', 'core/v1 ScopedResourceSelectorRequirement.operator'],
  ['FQDN|IPv4|IPv6', 'discovery/v1 EndpointSlice.addressType'],
  ['Egress|Ingress', 'networking/v1 NetworkPolicySpec.policyTypes'],
  ['Exact|ImplementationSpecific|Prefix', 'networking/v1 HTTPIngressPath.pathType'],
  ['AlwaysAllow|IfHealthyBudget', 'policy/v1 PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy'],
  ['NoExecute|NoSchedule|None', 'resource/v1 DeviceTaint.effect DeviceToleration.effect'],
  ['All|ExactCount', 'resource/v1 ExactDeviceRequest.allocationMode DeviceSubRequest.allocationMode'],
  ['Equal|Exists', 'resource/v1 DeviceToleration.operator'],
  ['FromClaim|FromClass', 'resource/v1 DeviceAllocationConfiguration.source'],
  ['Immediate|WaitForFirstConsumer', 'storage/v1 StorageClass.volumeBindingMode'],
];

function signals(): string {
  const plain =
    'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT RTMAX RTMIN SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ';
  const beyond = (base: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${base}${at + 1}`);
  return [...plain.split(' '), ...beyond('RTMAX-', 14), ...beyond('RTMIN+', 15)]
    .map((name) => `SIG${name}`)
    .sort()
    .join('|');
}

const byField = new Map<string, readonly string[]>(
  rows.flatMap(([words, ...places]) =>
    places.flatMap((place) => {
      const [group = '', ...fields] = place.split(' ');
      return fields.map((field) => [`io.k8s.api.${group.replace('/', '.')}.${field}`, words.split('|')] as const);
    }),
  ),
);

/** The values of a field of a named type; undefined if it accepts any. */
export const closedValues = (type: string, field: string): readonly string[] | undefined =>
  byField.get(`${type}.${field}`);

/** Every field in the table, by the full name of its type. */
export const closedFields = (): Iterable<string> => byField.keys();
