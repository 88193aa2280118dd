/** storage.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const storage = `
StorageClass kind list
  1 metadata+ meta.ObjectMeta | 2 provisioner!+ string | 3 parameters {}string | 4 reclaimPolicy *string
  5 mountOptions []string | 6 allowVolumeExpansion *boolean | 7 volumeBindingMode *string
  8 allowedTopologies []core.TopologySelectorTerm
VolumeAttachment kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ VolumeAttachmentSpec | 3 status+ VolumeAttachmentStatus
VolumeAttachmentSpec
  1 attacher!+ string | 2 source!+ VolumeAttachmentSource | 3 nodeName!+ string
VolumeAttachmentSource
  1 persistentVolumeName *string | 2 inlineVolumeSpec *core.PersistentVolumeSpec
VolumeAttachmentStatus
  1 attached!+ boolean | 2 attachmentMetadata {}string | 3 attachError *VolumeError | 4 detachError *VolumeError
VolumeError
  1 time+ time | 2 message string | 3 errorCode *int32
CSIDriver kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ CSIDriverSpec
CSIDriverSpec
  1 attachRequired *boolean | 2 podInfoOnMount *boolean | 3 volumeLifecycleModes []string set
  4 storageCapacity *boolean | 5 fsGroupPolicy *string | 6 tokenRequests []TokenRequest | 7 requiresRepublish *boolean
  8 seLinuxMount *boolean | 9 nodeAllocatableUpdatePeriodSeconds *int64 | 10 serviceAccountTokenInSecrets *boolean
  11 preventPodSchedulingIfMissing *boolean
TokenRequest
  1 audience!+ string | 2 expirationSeconds *int64
CSINode kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ CSINodeSpec
CSINodeSpec
  1 drivers!+ []CSINodeDriver map(name) merge(name)
CSINodeDriver
  1 name!+ string | 2 nodeID!+ string | 3 topologyKeys+ []string | 4 allocatable *VolumeNodeResources
VolumeNodeResources
  1 count *int32
CSIStorageCapacity kind list
  1 metadata+ meta.ObjectMeta | 2 nodeTopology *meta.LabelSelector | 3 storageClassName!+ string
  4 capacity *quantity | 5 maximumVolumeSize *quantity
VolumeAttributesClass kind list
  1 metadata+ meta.ObjectMeta | 2 driverName!+ string | 3 parameters {}string
`;
