/** meta/v1: the types that every group shares. The notation is explained in ../type-table.ts. */
export const meta = `
ListMeta
  1 selfLink string | 2 resourceVersion string | 3 continue string | 4 remainingItemCount *int64
  5 shardInfo *ShardInfo
ShardInfo
  1 selector!+ string
ObjectMeta
  1 name string | 2 generateName string | 3 namespace string | 4 selfLink string | 5 uid string
  6 resourceVersion string | 7 generation int64 | 8 creationTimestamp time | 9 deletionTimestamp *time
  10 deletionGracePeriodSeconds *int64 | 11 labels {}string | 12 annotations {}string
  13 ownerReferences []OwnerReference map(uid) merge(uid) | 14 finalizers []string set merge
  17 managedFields []ManagedFieldsEntry
OwnerReference atomic
  5 apiVersion!+ string | 1 kind!+ string | 3 name!+ string | 4 uid!+ string | 6 controller *boolean
  7 blockOwnerDeletion *boolean
ListOptions kind
  1 labelSelector string | 2 fieldSelector string | 3 watch boolean | 9 allowWatchBookmarks boolean
  4 resourceVersion string | 10 resourceVersionMatch string | 5 timeoutSeconds *int64 | 7 limit int64
  8 continue string | 11 sendInitialEvents *boolean | 15 shardSelector string
GetOptions kind
  1 resourceVersion string
DeleteOptions kind
  1 gracePeriodSeconds *int64 | 2 preconditions *Preconditions | 3 orphanDependents *boolean
  4 propagationPolicy *string | 5 dryRun []string | 6 ignoreStoreReadErrorWithClusterBreakingPotential *boolean
CreateOptions kind
  1 dryRun []string | 3 fieldManager string | 4 fieldValidation string
PatchOptions kind
  1 dryRun []string | 2 force *boolean | 3 fieldManager string | 4 fieldValidation string
UpdateOptions kind
  1 dryRun []string | 2 fieldManager string | 3 fieldValidation string
Preconditions
  1 uid *string | 2 resourceVersion *string
Status kind
  1 metadata+ ListMeta | 2 status string | 3 message string | 4 reason string | 5 details *StatusDetails
  6 code int32
StatusDetails
  1 name string | 2 group string | 3 kind string | 6 uid string | 4 causes []StatusCause | 5 retryAfterSeconds int32
StatusCause
  1 reason string | 2 message string | 3 field string
APIVersions kind
  1 versions!+ []string | 2 serverAddressByClientCIDRs!+ []ServerAddressByClientCIDR
APIGroupList kind
  1 groups!+ []APIGroup
APIGroup kind
  1 name!+ string | 2 versions!+ []GroupVersionForDiscovery | 3 preferredVersion+ GroupVersionForDiscovery
  4 serverAddressByClientCIDRs []ServerAddressByClientCIDR
ServerAddressByClientCIDR
  1 clientCIDR!+ string | 2 serverAddress!+ string
GroupVersionForDiscovery
  1 groupVersion!+ string | 2 version!+ string
APIResource
  1 name!+ string | 6 singularName!+ string | 2 namespaced!+ boolean | 8 group string | 9 version string
  3 kind!+ string | 4 verbs!+ []string | 5 shortNames []string | 7 categories []string | 10 storageVersionHash string
APIResourceList kind
  1 groupVersion!+ string | 2 resources!+ []APIResource
LabelSelector atomic
  1 matchLabels {}string | 2 matchExpressions []LabelSelectorRequirement
LabelSelectorRequirement
  1 key!+ string | 2 operator!+ string | 3 values []string
FieldSelectorRequirement
  1 key!+ string | 2 operator!+ string | 3 values []string
ManagedFieldsEntry
  1 manager string | 2 operation string | 3 apiVersion string | 4 time *time | 6 fieldsType string
  7 fieldsV1 *FieldsV1 | 8 subresource string
Table kind
  - metadata+ ListMeta | - columnDefinitions+ []TableColumnDefinition | - rows+ []TableRow
TableColumnDefinition
  - name+ string | - type+ string | - format+ string | - description+ string | - priority+ int32
TableRow
  - cells+ []JSON | - conditions []TableRowCondition | - object+ RawExtension
TableRowCondition
  - type+ string | - status+ string | - reason string | - message string
PartialObjectMetadata kind
  1 metadata+ ObjectMeta
PartialObjectMetadataList kind
  1 metadata+ ListMeta | 2 items+ []PartialObjectMetadata
Condition
  1 type!+ string | 2 status!+ string | 3 observedGeneration int64 | 4 lastTransitionTime!+ time | 5 reason!+ string
  6 message!+ string
WatchEvent
  1 type!+ string | 2 object!+ RawExtension
`;
