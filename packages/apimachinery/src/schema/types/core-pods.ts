/** core/v1: containers and pods. The notation is explained in ../type-table.ts. */
export const corePods = `
ContainerPort
  1 name string | 2 hostPort int32 | 3 containerPort!+ int32 | 4 protocol string =TCP | 5 hostIP string
VolumeMount
  1 name!+ string | 2 readOnly boolean | 7 recursiveReadOnly *string | 3 mountPath!+ string | 4 subPath string
  5 mountPropagation *string | 6 subPathExpr string
VolumeDevice
  1 name!+ string | 2 devicePath!+ string
EnvVar
  1 name!+ string | 2 value string | 3 valueFrom *EnvVarSource
EnvVarSource
  1 fieldRef *ObjectFieldSelector | 2 resourceFieldRef *ResourceFieldSelector
  3 configMapKeyRef *ConfigMapKeySelector | 4 secretKeyRef *SecretKeySelector | 5 fileKeyRef *FileKeySelector
FileKeySelector atomic
  1 volumeName!+ string | 2 path!+ string | 3 key!+ string | 4 optional *boolean =false
ObjectFieldSelector atomic
  1 apiVersion string | 2 fieldPath!+ string
ResourceFieldSelector atomic
  1 containerName string | 2 resource!+ string | 3 divisor+ quantity
ConfigMapKeySelector atomic
  1 ...LocalObjectReference | 2 key!+ string | 3 optional *boolean
SecretKeySelector atomic
  1 ...LocalObjectReference | 2 key!+ string | 3 optional *boolean
EnvFromSource
  1 prefix string | 2 configMapRef *ConfigMapEnvSource | 3 secretRef *SecretEnvSource
ConfigMapEnvSource
  1 ...LocalObjectReference | 2 optional *boolean
SecretEnvSource
  1 ...LocalObjectReference | 2 optional *boolean
HTTPHeader
  1 name!+ string | 2 value!+ string
HTTPGetAction
  1 path string | 2 port!+ int-or-string | 3 host string | 4 scheme string | 5 httpHeaders []HTTPHeader
TCPSocketAction
  1 port!+ int-or-string | 2 host string
GRPCAction
  1 port!+ int32 | 2 service+ *string =""
ExecAction
  1 command []string
SleepAction
  1 seconds!+ int64
Probe
  1 ...ProbeHandler | 2 initialDelaySeconds int32 | 3 timeoutSeconds int32 | 4 periodSeconds int32
  5 successThreshold int32 | 6 failureThreshold int32 | 7 terminationGracePeriodSeconds *int64
ContainerResizePolicy
  1 resourceName!+ string | 2 restartPolicy!+ string
Capabilities
  1 add []string | 2 drop []string
ResourceRequirements
  1 limits {}quantity | 2 requests {}quantity | 3 claims []ResourceClaim map(name)
VolumeResourceRequirements
  1 limits {}quantity | 2 requests {}quantity
ResourceClaim
  1 name!+ string | 2 request string
Container
  1 name!+ string | 2 image string | 3 command []string | 4 args []string | 5 workingDir string
  6 ports []ContainerPort map(containerPort,protocol) merge(containerPort) | 19 envFrom []EnvFromSource
  7 env []EnvVar map(name) merge(name) | 8 resources+ ResourceRequirements | 23 resizePolicy []ContainerResizePolicy
  24 restartPolicy *string | 25 restartPolicyRules []ContainerRestartRule
  9 volumeMounts []VolumeMount map(mountPath) merge(mountPath)
  21 volumeDevices []VolumeDevice map(devicePath) merge(devicePath) | 10 livenessProbe *Probe
  11 readinessProbe *Probe | 22 startupProbe *Probe | 12 lifecycle *Lifecycle | 13 terminationMessagePath string
  20 terminationMessagePolicy string | 14 imagePullPolicy string | 15 securityContext *SecurityContext
  16 stdin boolean | 17 stdinOnce boolean | 18 tty boolean
ProbeHandler
  1 exec *ExecAction | 2 httpGet *HTTPGetAction | 3 tcpSocket *TCPSocketAction | 4 grpc *GRPCAction
LifecycleHandler
  1 exec *ExecAction | 2 httpGet *HTTPGetAction | 3 tcpSocket *TCPSocketAction | 4 sleep *SleepAction
Lifecycle
  1 postStart *LifecycleHandler | 2 preStop *LifecycleHandler | 3 stopSignal *string
ContainerStateWaiting
  1 reason string | 2 message string
ContainerStateRunning
  1 startedAt+ time
ContainerStateTerminated
  1 exitCode!+ int32 | 2 signal int32 | 3 reason string | 4 message string | 5 startedAt+ time | 6 finishedAt+ time
  7 containerID string
ContainerState
  1 waiting *ContainerStateWaiting | 2 running *ContainerStateRunning | 3 terminated *ContainerStateTerminated
ContainerStatus
  1 name!+ string | 2 state+ ContainerState | 3 lastState+ ContainerState | 4 ready!+ boolean | 5 restartCount!+ int32
  6 image!+ string | 7 imageID!+ string | 8 containerID string | 9 started *boolean | 10 allocatedResources {}quantity
  11 resources *ResourceRequirements | 12 volumeMounts []VolumeMountStatus map(mountPath) merge(mountPath)
  13 user *ContainerUser | 14 allocatedResourcesStatus []ResourceStatus map(name) merge(name) | 15 stopSignal *string
ResourceStatus
  1 name!+ string | 2 resources []ResourceHealth map(resourceID)
ResourceHealth
  1 resourceID!+ string | 2 health string | 6 message *string
ContainerUser
  1 linux *LinuxContainerUser
LinuxContainerUser
  1 uid!+ int64 | 2 gid!+ int64 | 3 supplementalGroups []int64
PodCondition
  1 type!+ string | 7 observedGeneration int64 | 2 status!+ string | 3 lastProbeTime+ time
  4 lastTransitionTime+ time | 5 reason string | 6 message string
VolumeMountStatus
  1 name!+ string | 2 mountPath!+ string | 3 readOnly boolean | 4 recursiveReadOnly *string
  5 volumeStatus *VolumeStatus
VolumeStatus
  1 image *ImageVolumeStatus
ImageVolumeStatus
  1 imageRef! string
ContainerRestartRule
  1 action! string | 2 exitCodes *ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes
  1 operator! string | 2 values []int32 set
NodeSelector atomic
  1 nodeSelectorTerms!+ []NodeSelectorTerm
NodeSelectorTerm atomic
  1 matchExpressions []NodeSelectorRequirement | 2 matchFields []NodeSelectorRequirement
NodeSelectorRequirement
  1 key!+ string | 2 operator!+ string | 3 values []string
TopologySelectorTerm atomic
  1 matchLabelExpressions []TopologySelectorLabelRequirement
TopologySelectorLabelRequirement
  1 key!+ string | 2 values!+ []string
Affinity
  1 nodeAffinity *NodeAffinity | 2 podAffinity *PodAffinity | 3 podAntiAffinity *PodAntiAffinity
PodAffinity
  1 requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm
  2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodAntiAffinity
  1 requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm
  2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
WeightedPodAffinityTerm
  1 weight!+ int32 | 2 podAffinityTerm!+ PodAffinityTerm
PodAffinityTerm
  1 labelSelector *meta.LabelSelector | 2 namespaces []string | 3 topologyKey!+ string
  4 namespaceSelector *meta.LabelSelector | 5 matchLabelKeys []string | 6 mismatchLabelKeys []string
NodeAffinity
  1 requiredDuringSchedulingIgnoredDuringExecution *NodeSelector
  2 preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm
PreferredSchedulingTerm
  1 weight!+ int32 | 2 preference!+ NodeSelectorTerm
Taint
  1 key!+ string | 2 value string | 3 effect!+ string | 4 timeAdded *time
Toleration
  1 key string | 2 operator string | 3 value string | 4 effect string | 5 tolerationSeconds *int64
PodReadinessGate
  1 conditionType!+ string
PodSpec
  1 volumes []Volume map(name) merge+retainKeys(name) | 20 initContainers []Container map(name) merge(name)
  2 containers!+ []Container map(name) merge(name) | 34 ephemeralContainers []EphemeralContainer map(name) merge(name)
  3 restartPolicy string | 4 terminationGracePeriodSeconds *int64 | 5 activeDeadlineSeconds *int64
  6 dnsPolicy string | 7 nodeSelector {}string atomic | 8 serviceAccountName string | 9 serviceAccount string
  21 automountServiceAccountToken *boolean | 10 nodeName string | 11 hostNetwork boolean | 12 hostPID boolean
  13 hostIPC boolean | 27 shareProcessNamespace *boolean | 14 securityContext *PodSecurityContext
  15 imagePullSecrets []LocalObjectReference map(name) merge(name) | 16 hostname string | 17 subdomain string
  18 affinity *Affinity | 19 schedulerName string | 22 tolerations []Toleration
  23 hostAliases []HostAlias map(ip) merge(ip) | 24 priorityClassName string | 25 priority *int32
  26 dnsConfig *PodDNSConfig | 28 readinessGates []PodReadinessGate | 29 runtimeClassName *string
  30 enableServiceLinks *boolean | 31 preemptionPolicy *string | 32 overhead {}quantity
  33 topologySpreadConstraints []TopologySpreadConstraint map(topologyKey,whenUnsatisfiable) merge(topologyKey)
  35 setHostnameAsFQDN *boolean | 36 os *PodOS | 37 hostUsers *boolean
  38 schedulingGates []PodSchedulingGate map(name) merge(name)
  39 resourceClaims []PodResourceClaim map(name) merge+retainKeys(name) | 40 resources *ResourceRequirements
  41 hostnameOverride *string | 43 schedulingGroup *PodSchedulingGroup
PodResourceClaim
  1 name!+ string | 3 resourceClaimName *string | 4 resourceClaimTemplateName *string
PodResourceClaimStatus
  1 name!+ string | 2 resourceClaimName *string
PodExtendedResourceClaimStatus
  1 requestMappings!+ []ContainerExtendedResourceRequest | 2 resourceClaimName!+ string
ContainerExtendedResourceRequest
  1 containerName!+ string | 2 resourceName!+ string | 3 requestName!+ string
PodOS
  1 name!+ string
PodSchedulingGate
  1 name!+ string
PodSchedulingGroup
  1 podGroupName *string
TopologySpreadConstraint
  1 maxSkew!+ int32 | 2 topologyKey!+ string | 3 whenUnsatisfiable!+ string | 4 labelSelector *meta.LabelSelector
  5 minDomains *int32 | 6 nodeAffinityPolicy *string | 7 nodeTaintsPolicy *string | 8 matchLabelKeys []string
HostAlias
  1 ip!+ string | 2 hostnames []string
PodSecurityContext
  1 seLinuxOptions *SELinuxOptions | 8 windowsOptions *WindowsSecurityContextOptions | 2 runAsUser *int64
  6 runAsGroup *int64 | 3 runAsNonRoot *boolean | 4 supplementalGroups []int64 | 12 supplementalGroupsPolicy *string
  5 fsGroup *int64 | 7 sysctls []Sysctl | 9 fsGroupChangePolicy *string | 10 seccompProfile *SeccompProfile
  11 appArmorProfile *AppArmorProfile | 13 seLinuxChangePolicy *string
SeccompProfile
  1 type!+ string | 2 localhostProfile *string
AppArmorProfile
  1 type!+ string | 2 localhostProfile *string
PodDNSConfig
  1 nameservers []string | 2 searches []string | 3 options []PodDNSConfigOption
PodDNSConfigOption
  1 name string | 2 value *string
PodIP
  1 ip!+ string
HostIP
  1 ip!+ string
EphemeralContainerCommon
  1 name!+ string | 2 image string | 3 command []string | 4 args []string | 5 workingDir string
  6 ports []ContainerPort map(containerPort,protocol) merge(containerPort) | 19 envFrom []EnvFromSource
  7 env []EnvVar map(name) merge(name) | 8 resources+ ResourceRequirements | 23 resizePolicy []ContainerResizePolicy
  24 restartPolicy *string | 25 restartPolicyRules []ContainerRestartRule
  9 volumeMounts []VolumeMount map(mountPath) merge(mountPath)
  21 volumeDevices []VolumeDevice map(devicePath) merge(devicePath) | 10 livenessProbe *Probe
  11 readinessProbe *Probe | 22 startupProbe *Probe | 12 lifecycle *Lifecycle | 13 terminationMessagePath string
  20 terminationMessagePolicy string | 14 imagePullPolicy string | 15 securityContext *SecurityContext
  16 stdin boolean | 17 stdinOnce boolean | 18 tty boolean
EphemeralContainer
  1 ...EphemeralContainerCommon | 2 targetContainerName string
PodStatus
  17 observedGeneration int64 | 1 phase string | 2 conditions []PodCondition map(type) merge(type) | 3 message string
  4 reason string | 11 nominatedNodeName string | 5 hostIP string | 16 hostIPs []HostIP merge(ip) | 6 podIP string
  12 podIPs []PodIP map(ip) merge(ip) | 7 startTime *time | 10 initContainerStatuses []ContainerStatus
  8 containerStatuses []ContainerStatus | 9 qosClass string | 13 ephemeralContainerStatuses []ContainerStatus
  14 resize string | 15 resourceClaimStatuses []PodResourceClaimStatus map(name) merge+retainKeys(name)
  18 extendedResourceClaimStatus *PodExtendedResourceClaimStatus | 19 allocatedResources {}quantity
  20 resources *ResourceRequirements | 21 nodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus
Pod kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ PodSpec | 3 status+ PodStatus
PodTemplateSpec
  1 metadata+ meta.ObjectMeta | 2 spec+ PodSpec
PodTemplate kind list
  1 metadata+ meta.ObjectMeta | 2 template+ PodTemplateSpec
`;
