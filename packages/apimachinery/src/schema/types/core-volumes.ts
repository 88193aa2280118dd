/** core/v1: volumes, claims and their sources. The notation is explained in ../type-table.ts. */
export const coreVolumes = `
Volume
  1 name!+ string | 2 ...VolumeSource
VolumeSource
  1 hostPath *HostPathVolumeSource | 2 emptyDir *EmptyDirVolumeSource
  3 gcePersistentDisk *GCEPersistentDiskVolumeSource | 4 awsElasticBlockStore *AWSElasticBlockStoreVolumeSource
  5 gitRepo *GitRepoVolumeSource | 6 secret *SecretVolumeSource | 7 nfs *NFSVolumeSource | 8 iscsi *ISCSIVolumeSource
  9 glusterfs *GlusterfsVolumeSource | 10 persistentVolumeClaim *PersistentVolumeClaimVolumeSource
  11 rbd *RBDVolumeSource | 12 flexVolume *FlexVolumeSource | 13 cinder *CinderVolumeSource
  14 cephfs *CephFSVolumeSource | 15 flocker *FlockerVolumeSource | 16 downwardAPI *DownwardAPIVolumeSource
  17 fc *FCVolumeSource | 18 azureFile *AzureFileVolumeSource | 19 configMap *ConfigMapVolumeSource
  20 vsphereVolume *VsphereVirtualDiskVolumeSource | 21 quobyte *QuobyteVolumeSource
  22 azureDisk *AzureDiskVolumeSource | 23 photonPersistentDisk *PhotonPersistentDiskVolumeSource
  26 projected *ProjectedVolumeSource | 24 portworxVolume *PortworxVolumeSource | 25 scaleIO *ScaleIOVolumeSource
  27 storageos *StorageOSVolumeSource | 28 csi *CSIVolumeSource | 29 ephemeral *EphemeralVolumeSource
  30 image *ImageVolumeSource
PersistentVolumeClaimVolumeSource
  1 claimName!+ string | 2 readOnly boolean
PersistentVolumeSource
  1 gcePersistentDisk *GCEPersistentDiskVolumeSource | 2 awsElasticBlockStore *AWSElasticBlockStoreVolumeSource
  3 hostPath *HostPathVolumeSource | 4 glusterfs *GlusterfsPersistentVolumeSource | 5 nfs *NFSVolumeSource
  6 rbd *RBDPersistentVolumeSource | 7 iscsi *ISCSIPersistentVolumeSource | 8 cinder *CinderPersistentVolumeSource
  9 cephfs *CephFSPersistentVolumeSource | 10 fc *FCVolumeSource | 11 flocker *FlockerVolumeSource
  12 flexVolume *FlexPersistentVolumeSource | 13 azureFile *AzureFilePersistentVolumeSource
  14 vsphereVolume *VsphereVirtualDiskVolumeSource | 15 quobyte *QuobyteVolumeSource
  16 azureDisk *AzureDiskVolumeSource | 17 photonPersistentDisk *PhotonPersistentDiskVolumeSource
  18 portworxVolume *PortworxVolumeSource | 19 scaleIO *ScaleIOPersistentVolumeSource | 20 local *LocalVolumeSource
  21 storageos *StorageOSPersistentVolumeSource | 22 csi *CSIPersistentVolumeSource
PersistentVolume kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ PersistentVolumeSpec | 3 status+ PersistentVolumeStatus
PersistentVolumeSpec
  1 capacity {}quantity | 2 ...PersistentVolumeSource | 3 accessModes []string | 4 claimRef *ObjectReference granular
  5 persistentVolumeReclaimPolicy string | 6 storageClassName string | 7 mountOptions []string | 8 volumeMode *string
  9 nodeAffinity *VolumeNodeAffinity | 10 volumeAttributesClassName *string
VolumeNodeAffinity
  1 required *NodeSelector
PersistentVolumeStatus
  1 phase string | 2 message string | 3 reason string | 4 lastPhaseTransitionTime *time
PersistentVolumeClaim kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ PersistentVolumeClaimSpec | 3 status+ PersistentVolumeClaimStatus
PersistentVolumeClaimSpec
  1 accessModes []string | 4 selector *meta.LabelSelector | 2 resources+ VolumeResourceRequirements
  3 volumeName string | 5 storageClassName *string | 6 volumeMode *string | 7 dataSource *TypedLocalObjectReference
  8 dataSourceRef *TypedObjectReference | 9 volumeAttributesClassName *string
TypedObjectReference
  1 apiGroup+ *string | 2 kind!+ string | 3 name!+ string | 4 namespace *string
ModifyVolumeStatus
  1 targetVolumeAttributesClassName string | 2 status!+ string
PersistentVolumeClaimCondition
  1 type!+ string | 2 status!+ string | 3 lastProbeTime+ time | 4 lastTransitionTime+ time | 5 reason string
  6 message string
PersistentVolumeClaimStatus
  1 phase string | 2 accessModes []string | 3 capacity {}quantity
  4 conditions []PersistentVolumeClaimCondition map(type) merge(type) | 5 allocatedResources {}quantity
  7 allocatedResourceStatuses {}string | 8 currentVolumeAttributesClassName *string
  9 modifyVolumeStatus *ModifyVolumeStatus
HostPathVolumeSource
  1 path!+ string | 2 type *string
EmptyDirVolumeSource
  1 medium string | 2 sizeLimit *quantity
GlusterfsVolumeSource
  1 endpoints!+ string | 2 path!+ string | 3 readOnly boolean
GlusterfsPersistentVolumeSource
  1 endpoints!+ string | 2 path!+ string | 3 readOnly boolean | 4 endpointsNamespace *string
RBDVolumeSource
  1 monitors!+ []string | 2 image!+ string | 3 fsType string | 4 pool string =rbd | 5 user string =admin
  6 keyring string =/etc/ceph/keyring | 7 secretRef *LocalObjectReference | 8 readOnly boolean
RBDPersistentVolumeSource
  1 monitors!+ []string | 2 image!+ string | 3 fsType string | 4 pool string =rbd | 5 user string =admin
  6 keyring string =/etc/ceph/keyring | 7 secretRef *SecretReference | 8 readOnly boolean
CinderVolumeSource
  1 volumeID!+ string | 2 fsType string | 3 readOnly boolean | 4 secretRef *LocalObjectReference
CinderPersistentVolumeSource
  1 volumeID!+ string | 2 fsType string | 3 readOnly boolean | 4 secretRef *SecretReference
CephFSVolumeSource
  1 monitors!+ []string | 2 path string | 3 user string | 4 secretFile string | 5 secretRef *LocalObjectReference
  6 readOnly boolean
SecretReference atomic
  1 name string | 2 namespace string
CephFSPersistentVolumeSource
  1 monitors!+ []string | 2 path string | 3 user string | 4 secretFile string | 5 secretRef *SecretReference
  6 readOnly boolean
FlockerVolumeSource
  1 datasetName string | 2 datasetUUID string
GCEPersistentDiskVolumeSource
  1 pdName!+ string | 2 fsType string | 3 partition int32 | 4 readOnly boolean
QuobyteVolumeSource
  1 registry!+ string | 2 volume!+ string | 3 readOnly boolean | 4 user string | 5 group string | 6 tenant string
FlexPersistentVolumeSource
  1 driver!+ string | 2 fsType string | 3 secretRef *SecretReference | 4 readOnly boolean | 5 options {}string
FlexVolumeSource
  1 driver!+ string | 2 fsType string | 3 secretRef *LocalObjectReference | 4 readOnly boolean | 5 options {}string
AWSElasticBlockStoreVolumeSource
  1 volumeID!+ string | 2 fsType string | 3 partition int32 | 4 readOnly boolean
GitRepoVolumeSource
  1 repository!+ string | 2 revision string | 3 directory string
SecretVolumeSource
  1 secretName string | 2 items []KeyToPath | 3 defaultMode *int32 | 4 optional *boolean
SecretProjection
  1 ...LocalObjectReference | 2 items []KeyToPath | 4 optional *boolean
NFSVolumeSource
  1 server!+ string | 2 path!+ string | 3 readOnly boolean
ISCSIVolumeSource
  1 targetPortal!+ string | 2 iqn!+ string | 3 lun!+ int32 | 4 iscsiInterface string =default | 5 fsType string
  6 readOnly boolean | 7 portals []string | 8 chapAuthDiscovery boolean | 11 chapAuthSession boolean
  10 secretRef *LocalObjectReference | 12 initiatorName *string
ISCSIPersistentVolumeSource
  1 targetPortal!+ string | 2 iqn!+ string | 3 lun!+ int32 | 4 iscsiInterface string =default | 5 fsType string
  6 readOnly boolean | 7 portals []string | 8 chapAuthDiscovery boolean | 11 chapAuthSession boolean
  10 secretRef *SecretReference | 12 initiatorName *string
FCVolumeSource
  1 targetWWNs []string | 2 lun *int32 | 3 fsType string | 4 readOnly boolean | 5 wwids []string
AzureFileVolumeSource
  1 secretName!+ string | 2 shareName!+ string | 3 readOnly boolean
AzureFilePersistentVolumeSource
  1 secretName!+ string | 2 shareName!+ string | 3 readOnly boolean | 4 secretNamespace+ *string
VsphereVirtualDiskVolumeSource
  1 volumePath!+ string | 2 fsType string | 3 storagePolicyName string | 4 storagePolicyID string
PhotonPersistentDiskVolumeSource
  1 pdID!+ string | 2 fsType string
AzureDiskVolumeSource
  1 diskName!+ string | 2 diskURI!+ string | 3 cachingMode *string =ReadWrite | 4 fsType *string =ext4
  5 readOnly *boolean =false | 6 kind *string =Shared
PortworxVolumeSource
  1 volumeID!+ string | 2 fsType string | 3 readOnly boolean
ScaleIOVolumeSource
  1 gateway!+ string | 2 system!+ string | 3 secretRef!+ *LocalObjectReference | 4 sslEnabled boolean
  5 protectionDomain string | 6 storagePool string | 7 storageMode string =ThinProvisioned | 8 volumeName string
  9 fsType string =xfs | 10 readOnly boolean
ScaleIOPersistentVolumeSource
  1 gateway!+ string | 2 system!+ string | 3 secretRef!+ *SecretReference | 4 sslEnabled boolean
  5 protectionDomain string | 6 storagePool string | 7 storageMode string =ThinProvisioned | 8 volumeName string
  9 fsType string =xfs | 10 readOnly boolean
StorageOSVolumeSource
  1 volumeName string | 2 volumeNamespace string | 3 fsType string | 4 readOnly boolean
  5 secretRef *LocalObjectReference
StorageOSPersistentVolumeSource
  1 volumeName string | 2 volumeNamespace string | 3 fsType string | 4 readOnly boolean | 5 secretRef *ObjectReference
ConfigMapVolumeSource
  1 ...LocalObjectReference | 2 items []KeyToPath | 3 defaultMode *int32 | 4 optional *boolean
ConfigMapProjection
  1 ...LocalObjectReference | 2 items []KeyToPath | 4 optional *boolean
ServiceAccountTokenProjection
  1 audience string | 2 expirationSeconds *int64 | 3 path!+ string
ClusterTrustBundleProjection
  1 name *string | 2 signerName *string | 3 labelSelector *meta.LabelSelector | 5 optional *boolean | 4 path!+ string
PodCertificateProjection
  1 signerName! string | 2 keyType! string | 3 maxExpirationSeconds *int32 | 4 credentialBundlePath string
  5 keyPath string | 6 certificateChainPath string | 7 userAnnotations {}string
ProjectedVolumeSource
  1 sources+ []VolumeProjection | 2 defaultMode *int32
VolumeProjection
  1 secret *SecretProjection | 2 downwardAPI *DownwardAPIProjection | 3 configMap *ConfigMapProjection
  4 serviceAccountToken *ServiceAccountTokenProjection | 5 clusterTrustBundle *ClusterTrustBundleProjection
  6 podCertificate *PodCertificateProjection
KeyToPath
  1 key!+ string | 2 path!+ string | 3 mode *int32
LocalVolumeSource
  1 path!+ string | 2 fsType *string
CSIPersistentVolumeSource
  1 driver!+ string | 2 volumeHandle!+ string | 3 readOnly boolean | 4 fsType string | 5 volumeAttributes {}string
  6 controllerPublishSecretRef *SecretReference | 7 nodeStageSecretRef *SecretReference
  8 nodePublishSecretRef *SecretReference | 9 controllerExpandSecretRef *SecretReference
  10 nodeExpandSecretRef *SecretReference
CSIVolumeSource
  1 driver!+ string | 2 readOnly *boolean | 3 fsType *string | 4 volumeAttributes {}string
  5 nodePublishSecretRef *LocalObjectReference
EphemeralVolumeSource
  1 volumeClaimTemplate *PersistentVolumeClaimTemplate
PersistentVolumeClaimTemplate
  1 metadata+ meta.ObjectMeta | 2 spec!+ PersistentVolumeClaimSpec
`;
