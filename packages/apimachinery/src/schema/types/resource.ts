/** resource.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const resource = `
ResourceSlice kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ ResourceSliceSpec
ResourceSliceSpec
  1 driver!+ string | 2 pool!+ ResourcePool | 3 nodeName *string | 4 nodeSelector *core.NodeSelector
  5 allNodes *boolean | 6 devices []Device | 7 perDeviceNodeSelection *boolean | 8 sharedCounters []CounterSet
CounterSet
  1 name!+ string | 2 counters! {}Counter
ResourcePool
  1 name!+ string | 2 generation!+ int64 | 3 resourceSliceCount!+ int64
Device
  1 name!+ string | 2 attributes {}DeviceAttribute | 3 capacity {}DeviceCapacity
  4 consumesCounters []DeviceCounterConsumption | 5 nodeName *string | 6 nodeSelector *core.NodeSelector
  7 allNodes *boolean | 8 taints []DeviceTaint | 9 bindsToNode *boolean | 10 bindingConditions []string
  11 bindingFailureConditions []string | 12 allowMultipleAllocations *boolean
  13 nodeAllocatableResourceMappings {}NodeAllocatableResourceMapping
NodeAllocatableResourceMapping
  1 capacityKey *string | 2 allocationMultiplier *quantity
DeviceCounterConsumption
  1 counterSet!+ string | 2 counters! {}Counter
DeviceCapacity
  1 value!+ quantity | 2 requestPolicy *CapacityRequestPolicy
Counter
  1 value!+ quantity
CapacityRequestPolicy
  1 default+ *quantity | 3 validValues []quantity | 4 validRange *CapacityRequestPolicyRange
CapacityRequestPolicyRange
  1 min! *quantity | 2 max *quantity | 3 step *quantity
DeviceAttribute
  2 int *int64 | 3 bool *boolean | 4 string *string | 5 version *string | 6 ints []int64 | 7 bools []boolean
  8 strings []string | 9 versions []string
DeviceTaint
  1 key!+ string | 2 value string | 3 effect!+ string | 4 timeAdded *time
ResourceClaim kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ ResourceClaimSpec | 3 status+ ResourceClaimStatus
ResourceClaimSpec
  1 devices+ DeviceClaim
DeviceClaim
  1 requests+ []DeviceRequest | 2 constraints []DeviceConstraint | 3 config []DeviceClaimConfiguration
DeviceRequest
  1 name!+ string | 2 exactly *ExactDeviceRequest | 3 firstAvailable []DeviceSubRequest
ExactDeviceRequest
  1 deviceClassName!+ string | 2 selectors []DeviceSelector | 3 allocationMode string | 4 count int64
  5 adminAccess *boolean | 6 tolerations []DeviceToleration | 7 capacity *CapacityRequirements
DeviceSubRequest
  1 name!+ string | 2 deviceClassName!+ string | 3 selectors []DeviceSelector | 4 allocationMode string
  5 count int64 | 6 tolerations []DeviceToleration | 7 capacity *CapacityRequirements
CapacityRequirements
  1 requests {}quantity
DeviceSelector
  1 cel *CELDeviceSelector
CELDeviceSelector
  1 expression!+ string
DeviceConstraint
  1 requests []string | 2 matchAttribute *string | 3 distinctAttribute *string
DeviceClaimConfiguration
  1 requests []string | 2 ...DeviceConfiguration
DeviceConfiguration
  1 opaque *OpaqueDeviceConfiguration
OpaqueDeviceConfiguration
  1 driver!+ string | 2 parameters!+ RawExtension
DeviceToleration
  1 key string | 2 operator string =Equal | 3 value string | 4 effect string | 5 tolerationSeconds *int64
ResourceClaimStatus
  1 allocation *AllocationResult | 2 reservedFor []ResourceClaimConsumerReference map(uid) merge(uid)
  4 devices []AllocatedDeviceStatus map(driver,device,pool,shareID)
ResourceClaimConsumerReference
  1 apiGroup string | 3 resource!+ string | 4 name!+ string | 5 uid!+ string
AllocationResult
  1 devices+ DeviceAllocationResult | 3 nodeSelector *core.NodeSelector | 5 allocationTimestamp *time
DeviceAllocationResult
  1 results []DeviceRequestAllocationResult | 2 config []DeviceAllocationConfiguration
DeviceRequestAllocationResult
  1 request!+ string | 2 driver!+ string | 3 pool!+ string | 4 device!+ string | 5 adminAccess *boolean
  6 tolerations []DeviceToleration | 7 bindingConditions []string | 8 bindingFailureConditions []string
  9 shareID *string | 10 consumedCapacity {}quantity
DeviceAllocationConfiguration
  1 source!+ string | 2 requests []string | 3 ...DeviceConfiguration
DeviceClass kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ DeviceClassSpec
DeviceClassSpec
  1 selectors []DeviceSelector | 2 config []DeviceClassConfiguration | 4 extendedResourceName *string
DeviceClassConfiguration
  1 ...DeviceConfiguration
ResourceClaimTemplate kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ ResourceClaimTemplateSpec
ResourceClaimTemplateSpec
  1 metadata+ meta.ObjectMeta | 2 spec!+ ResourceClaimSpec
AllocatedDeviceStatus
  1 driver!+ string | 2 pool!+ string | 3 device!+ string | 7 shareID *string
  4 conditions+ []meta.Condition map(type) | 5 data *RawExtension | 6 networkData *NetworkDeviceData
NetworkDeviceData
  1 interfaceName string | 2 ips []string | 3 hardwareAddress string
`;
