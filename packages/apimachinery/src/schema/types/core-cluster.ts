/** core/v1: services, nodes, namespaces, configuration and quota. The notation is explained in ../type-table.ts. */
export const coreCluster = `
ReplicationControllerSpec
  1 replicas *int32 =1 | 4 minReadySeconds int32 =0 | 2 selector {}string atomic | 3 template *PodTemplateSpec
ReplicationControllerStatus
  1 replicas!+ int32 | 2 fullyLabeledReplicas int32 | 4 readyReplicas int32 | 5 availableReplicas int32
  3 observedGeneration int64 | 6 conditions []ReplicationControllerCondition map(type) merge(type)
ReplicationControllerCondition
  1 type!+ string | 2 status!+ string | 3 lastTransitionTime+ time | 4 reason string | 5 message string
ReplicationController kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ ReplicationControllerSpec | 3 status+ ReplicationControllerStatus
SessionAffinityConfig
  1 clientIP *ClientIPConfig
ClientIPConfig
  1 timeoutSeconds *int32
ServiceStatus
  1 loadBalancer+ LoadBalancerStatus | 2 conditions []meta.Condition map(type) merge(type)
LoadBalancerStatus
  1 ingress []LoadBalancerIngress
LoadBalancerIngress
  1 ip string | 2 hostname string | 3 ipMode *string | 4 ports []PortStatus
ServiceSpec
  1 ports []ServicePort map(port,protocol) merge(port) | 2 selector {}string atomic | 3 clusterIP string
  18 clusterIPs []string | 4 type string | 5 externalIPs []string | 7 sessionAffinity string | 8 loadBalancerIP string
  9 loadBalancerSourceRanges []string | 10 externalName string | 11 externalTrafficPolicy string
  12 healthCheckNodePort int32 | 13 publishNotReadyAddresses boolean | 14 sessionAffinityConfig *SessionAffinityConfig
  19 ipFamilies []string | 17 ipFamilyPolicy *string | 20 allocateLoadBalancerNodePorts *boolean
  21 loadBalancerClass *string | 22 internalTrafficPolicy *string | 23 trafficDistribution *string
ServicePort
  1 name string | 2 protocol string =TCP | 6 appProtocol *string | 3 port!+ int32 | 4 targetPort+ int-or-string
  5 nodePort int32
Service kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ ServiceSpec | 3 status+ ServiceStatus
ServiceAccount kind list
  1 metadata+ meta.ObjectMeta | 2 secrets []ObjectReference map(name) merge(name)
  3 imagePullSecrets []LocalObjectReference | 4 automountServiceAccountToken *boolean
Endpoints kind list
  1 metadata+ meta.ObjectMeta | 2 subsets []EndpointSubset
EndpointSubset
  1 addresses []EndpointAddress | 2 notReadyAddresses []EndpointAddress | 3 ports []EndpointPort
EndpointAddress atomic
  1 ip!+ string | 3 hostname string | 4 nodeName *string | 2 targetRef *ObjectReference
EndpointPort atomic
  1 name string | 2 port!+ int32 | 3 protocol string | 4 appProtocol *string
NodeSpec
  1 podCIDR string | 7 podCIDRs []string set merge | 3 providerID string | 4 unschedulable boolean | 5 taints []Taint
  6 configSource *NodeConfigSource | 2 externalID string
NodeConfigSource
  2 configMap *ConfigMapNodeConfigSource
ConfigMapNodeConfigSource
  1 namespace!+ string | 2 name!+ string | 3 uid string | 4 resourceVersion string | 5 kubeletConfigKey!+ string
DaemonEndpoint
  1 Port!+ int32
NodeDaemonEndpoints
  1 kubeletEndpoint+ DaemonEndpoint
NodeRuntimeHandlerFeatures
  1 recursiveReadOnlyMounts *boolean | 2 userNamespaces *boolean
NodeRuntimeHandler
  1 name+ string | 2 features *NodeRuntimeHandlerFeatures
NodeFeatures
  1 supplementalGroupsPolicy *boolean
NodeSystemInfo
  1 machineID!+ string | 2 systemUUID!+ string | 3 bootID!+ string | 4 kernelVersion!+ string | 5 osImage!+ string
  6 containerRuntimeVersion!+ string | 7 kubeletVersion!+ string | 8 kubeProxyVersion!+ string
  9 operatingSystem!+ string | 10 architecture!+ string | 11 swap *NodeSwapStatus
NodeSwapStatus
  1 capacity *int64
NodeConfigStatus
  1 assigned *NodeConfigSource | 2 active *NodeConfigSource | 3 lastKnownGood *NodeConfigSource | 4 error string
NodeStatus
  1 capacity {}quantity | 2 allocatable {}quantity | 3 phase string
  4 conditions []NodeCondition map(type) merge(type) | 5 addresses []NodeAddress map(type) merge(type)
  6 daemonEndpoints+ NodeDaemonEndpoints | 7 nodeInfo+ NodeSystemInfo | 8 images []ContainerImage
  9 volumesInUse []string | 10 volumesAttached []AttachedVolume | 11 config *NodeConfigStatus
  12 runtimeHandlers []NodeRuntimeHandler | 13 features *NodeFeatures | 14 declaredFeatures []string
AttachedVolume
  1 name!+ string | 2 devicePath!+ string
ContainerImage
  1 names+ []string | 2 sizeBytes int64
NodeCondition
  1 type!+ string | 2 status!+ string | 3 lastHeartbeatTime+ time | 4 lastTransitionTime+ time | 5 reason string
  6 message string
NodeAddress
  1 type!+ string | 2 address!+ string
Node kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ NodeSpec | 3 status+ NodeStatus
NamespaceSpec
  1 finalizers []string
NamespaceStatus
  1 phase string | 2 conditions []NamespaceCondition map(type) merge(type)
NamespaceCondition
  1 type!+ string | 2 status!+ string | 4 lastTransitionTime+ time | 5 reason string | 6 message string
Namespace kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ NamespaceSpec | 3 status+ NamespaceStatus
Binding kind
  1 metadata+ meta.ObjectMeta | 2 target!+ ObjectReference
PodLogOptions kind
  1 container string | 2 follow boolean | 3 previous boolean | 4 sinceSeconds *int64 | 5 sinceTime *time
  6 timestamps boolean | 7 tailLines *int64 | 8 limitBytes *int64 | 9 insecureSkipTLSVerifyBackend boolean
  10 stream *string
PodAttachOptions kind
  1 stdin boolean | 2 stdout boolean | 3 stderr boolean | 4 tty boolean | 5 container string
PodExecOptions kind
  1 stdin boolean | 2 stdout boolean | 3 stderr boolean | 4 tty boolean | 5 container string | 6 command+ []string
PodPortForwardOptions kind
  1 ports []int32
PodProxyOptions kind
  1 path string
NodeProxyOptions kind
  1 path string
ServiceProxyOptions kind
  1 path string
ObjectReference atomic
  1 kind string | 2 namespace string | 3 name string | 4 uid string | 5 apiVersion string | 6 resourceVersion string
  7 fieldPath string
LocalObjectReference atomic
  1 name string =""
TypedLocalObjectReference atomic
  1 apiGroup+ *string | 2 kind!+ string | 3 name!+ string
EventSource
  1 component string | 2 host string
Event kind list
  1 metadata!+ meta.ObjectMeta | 2 involvedObject!+ ObjectReference | 3 reason string | 4 message string
  5 source+ EventSource | 6 firstTimestamp+ time | 7 lastTimestamp+ time | 8 count int32 | 9 type string
  10 eventTime+ micro-time | 11 series *EventSeries | 12 action string | 13 related *ObjectReference
  14 reportingComponent+ string | 15 reportingInstance+ string
EventSeries
  1 count int32 | 2 lastObservedTime+ micro-time
LimitRangeItem
  1 type!+ string | 2 max {}quantity | 3 min {}quantity | 4 default {}quantity | 5 defaultRequest {}quantity
  6 maxLimitRequestRatio {}quantity
LimitRangeSpec
  1 limits!+ []LimitRangeItem
LimitRange kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ LimitRangeSpec
ResourceQuotaSpec
  1 hard {}quantity | 2 scopes []string | 3 scopeSelector *ScopeSelector
ScopeSelector atomic
  1 matchExpressions []ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement
  1 scopeName!+ string | 2 operator!+ string | 3 values []string
ResourceQuotaStatus
  1 hard {}quantity | 2 used {}quantity
ResourceQuota kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ ResourceQuotaSpec | 3 status+ ResourceQuotaStatus
Secret kind list
  1 metadata+ meta.ObjectMeta | 5 immutable *boolean | 2 data {}bytes | 4 stringData {}string | 3 type string
ConfigMap kind list
  1 metadata+ meta.ObjectMeta | 4 immutable *boolean | 2 data {}string | 3 binaryData {}bytes
ComponentCondition
  1 type!+ string | 2 status!+ string | 3 message string | 4 error string
ComponentStatus kind list
  1 metadata+ meta.ObjectMeta | 2 conditions []ComponentCondition map(type) merge(type)
DownwardAPIVolumeSource
  1 items []DownwardAPIVolumeFile | 2 defaultMode *int32
DownwardAPIVolumeFile
  1 path!+ string | 2 fieldRef *ObjectFieldSelector | 3 resourceFieldRef *ResourceFieldSelector | 4 mode *int32
DownwardAPIProjection
  1 items []DownwardAPIVolumeFile
SecurityContext
  1 capabilities *Capabilities | 2 privileged *boolean | 3 seLinuxOptions *SELinuxOptions
  10 windowsOptions *WindowsSecurityContextOptions | 4 runAsUser *int64 | 8 runAsGroup *int64
  5 runAsNonRoot *boolean | 6 readOnlyRootFilesystem *boolean | 7 allowPrivilegeEscalation *boolean
  9 procMount *string | 11 seccompProfile *SeccompProfile | 12 appArmorProfile *AppArmorProfile
SELinuxOptions
  1 user string | 2 role string | 3 type string | 4 level string
WindowsSecurityContextOptions
  1 gmsaCredentialSpecName *string | 2 gmsaCredentialSpec *string | 3 runAsUserName *string | 4 hostProcess *boolean
Sysctl
  1 name!+ string | 2 value!+ string
PortStatus
  1 port!+ int32 | 2 protocol!+ string | 3 error *string
ImageVolumeSource
  1 reference string | 2 pullPolicy string
NodeAllocatableResourceClaimStatus
  1 resourceClaimName!+ string | 2 containers []string set | 3 resources!+ {}quantity
`;
