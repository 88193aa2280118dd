/** The types of Applications, in the notation of the type table: protobuf number, name, type. */
export const applicationTypes = `
Application kind
  1 metadata+ meta.ObjectMeta | 2 spec+ ApplicationSpec | 3 status+ ApplicationStatus | 4 operation *Operation
ApplicationTree
  1 nodes []ResourceNode | 2 orphanedNodes []ResourceNode | 3 hosts []HostInfo | 4 shardsCount int64
ResourceDiff
  1 group string | 2 kind string | 3 namespace string | 4 name string | 5 targetState string | 6 liveState string
  7 diff string | 8 hook boolean | 9 normalizedLiveState string | 10 predictedLiveState string
  11 resourceVersion string | 12 modified boolean
RevisionMetadata
  1 author string | 2 date+ *time | 3 tags []string | 4 message string | 5 signatureInfo string
  6 references []RevisionReference | 7 sourceIntegrityResult *SourceIntegrityCheckResult
  1 checks []SourceIntegrityCheckResultItem
SourceIntegrityCheckResultItem
  1 name string | 2 problems []string
ChartDetails
  1 description string | 2 home string | 3 maintainers []string
OCIMetadata
  1 createdAt string | 2 authors string | 3 imageUrl string | 4 docsUrl string | 5 sourceUrl string | 6 version string
  7 description string
ApplicationWatchEvent
  1 type+ string | 2 application+ Application
ResourceAction
  1 name string | 2 params []ResourceActionParam | 3 disabled boolean | 4 iconClass string | 5 displayName string
ApplicationList kind
  1 metadata+ meta.ListMeta | 2 items+ []Application
ApplicationSpec
  1 source *ApplicationSource | 2 destination+ ApplicationDestination | 3 project+ string | 4 syncPolicy *SyncPolicy
  5 ignoreDifferences []ResourceIgnoreDifferences | 6 info []Info | 7 revisionHistoryLimit *int64
  8 sources []ApplicationSource | 9 sourceHydrator *SourceHydrator
ApplicationStatus
  1 resources []ResourceStatus | 2 sync+ SyncStatus | 3 health+ AppHealthStatus | 4 history []RevisionHistory
  5 conditions []ApplicationCondition | 6 reconciledAt *time | 7 operationState *OperationState | 8 observedAt *time
  9 sourceType string | 10 summary+ ApplicationSummary | 11 resourceHealthSource string | 12 sourceTypes []string
  13 controllerNamespace string | 14 sourceHydrator+ SourceHydratorStatus
Operation
  1 sync *SyncOperation | 2 initiatedBy+ OperationInitiator | 3 info []Info | 4 retry+ RetryStrategy
HostInfo
  1 name string | 2 resourcesInfo []HostResourceInfo | 3 systemInfo core.NodeSystemInfo | 4 labels {}string
ResourceNode
  1 ...ResourceRef | 2 parentRefs []ResourceRef | 3 info []InfoItem | 4 networkingInfo *ResourceNetworkingInfo
  5 resourceVersion string | 6 images []string | 7 health *HealthStatus | 8 createdAt *time
RevisionReference
  1 commit *CommitMetadata
SourceIntegrityCheckResult
ResourceActionParam
  1 name string
ApplicationDestination
  1 server string | 2 namespace string | 3 name string
ApplicationSource
  1 repoURL+ string | 2 path string | 4 targetRevision string | 7 helm *ApplicationSourceHelm
  8 kustomize *ApplicationSourceKustomize | 10 directory *ApplicationSourceDirectory
  11 plugin *ApplicationSourcePlugin | 12 chart string | 13 ref string | 14 name string | 15 tagPrefix string
Info
  1 name+ string | 2 value+ string
ResourceIgnoreDifferences
  1 group string | 2 kind+ string | 3 name string | 4 namespace string | 5 jsonPointers []string
  6 jqPathExpressions []string | 7 managedFieldsManagers []string
SourceHydrator
  1 drySource+ DrySource | 2 syncSource+ SyncSource | 3 hydrateTo *HydrateTo
SyncPolicy
  1 automated *SyncPolicyAutomated | 2 syncOptions []string | 3 retry *RetryStrategy
  4 managedNamespaceMetadata *ManagedNamespaceMetadata
AppHealthStatus
  1 status string | 2 message string | 3 lastTransitionTime *time
ApplicationCondition
  1 type+ string | 2 message+ string | 3 lastTransitionTime *time
ApplicationSummary
  1 externalURLs []string | 2 images []string | 3 isAppOfApps boolean
OperationState
  1 operation+ Operation | 2 phase+ string | 3 message string | 4 syncResult *SyncOperationResult | 6 startedAt+ time
  7 finishedAt *time | 8 retryCount int64
ResourceStatus
  1 group string | 2 version string | 3 kind string | 4 namespace string | 5 name string | 6 status string
  7 health *HealthStatus | 8 hook boolean | 9 requiresPruning boolean | 10 syncWave int64
  11 requiresDeletionConfirmation boolean
RevisionHistory
  2 revision string | 4 deployedAt+ time | 5 id+ int64 | 6 source+ ApplicationSource | 7 deployStartedAt *time
  8 sources []ApplicationSource | 9 revisions []string | 10 initiatedBy+ OperationInitiator
SourceHydratorStatus
  1 lastSuccessfulOperation *SuccessfulHydrateOperation | 2 currentOperation *HydrateOperation
  3 lastComparedDryRevision string
SyncStatus
  1 status+ string | 2 comparedTo+ ComparedTo | 3 revision string | 4 revisions []string
OperationInitiator
  1 username string | 2 automated boolean
RetryStrategy
  1 limit int64 | 2 backoff *Backoff | 3 refresh boolean
SyncOperation
  1 revision string | 2 prune boolean | 3 dryRun boolean | 4 syncStrategy *SyncStrategy
  6 resources []SyncOperationResource | 7 source *ApplicationSource | 8 manifests []string | 9 syncOptions []string
  10 sources []ApplicationSource | 11 revisions []string | 12 autoHealAttemptsCount int64
HostResourceInfo
  1 resourceName string | 2 requestedByApp int64 | 3 requestedByNeighbors int64 | 4 capacity int64
HealthStatus
  1 status string | 2 message string | 3 lastTransitionTime *time
InfoItem
  1 name string | 2 value string
ResourceNetworkingInfo
  1 targetLabels {}string | 2 targetRefs []ResourceRef | 3 labels {}string | 4 ingress []core.LoadBalancerIngress
  5 externalURLs []string
ResourceRef
  1 group string | 2 version string | 3 kind string | 4 namespace string | 5 name string | 6 uid string
CommitMetadata
  1 author string | 2 date string | 3 subject string | 4 body string | 5 sha string | 6 repoUrl string
ApplicationSourceDirectory
  1 recurse boolean | 2 jsonnet ApplicationSourceJsonnet | 3 exclude string | 4 include string
  5 disableExtensionFilter boolean
ApplicationSourceHelm
  1 valueFiles []string | 2 parameters []HelmParameter | 3 releaseName string | 4 values string
  5 fileParameters []HelmFileParameter | 6 version string | 7 passCredentials boolean
  8 ignoreMissingValueFiles boolean | 9 skipCrds boolean | 10 valuesObject *RawExtension | 11 namespace string
  12 kubeVersion string | 13 apiVersions []string | 14 skipTests boolean | 15 skipSchemaValidation boolean
ApplicationSourceKustomize
  1 namePrefix string | 2 nameSuffix string | 3 images []string | 4 commonLabels {}string | 5 version string
  6 commonAnnotations {}string | 7 forceCommonLabels boolean | 8 forceCommonAnnotations boolean | 9 namespace string
  10 commonAnnotationsEnvsubst boolean | 11 replicas []KustomizeReplica | 12 patches []KustomizePatch
  13 components []string | 17 ignoreMissingComponents boolean | 14 labelWithoutSelector boolean | 15 kubeVersion string
  16 apiVersions []string | 18 labelIncludeTemplates boolean
ApplicationSourcePlugin
  1 name string | 2 env []EnvEntry | 3 parameters []ApplicationSourcePluginParameter
DrySource
  1 repoURL+ string | 2 targetRevision+ string | 3 path+ string | 4 helm *ApplicationSourceHelm
  5 kustomize *ApplicationSourceKustomize | 6 directory *ApplicationSourceDirectory | 7 plugin *ApplicationSourcePlugin
HydrateTo
  1 targetBranch+ string
SyncSource
  1 targetBranch+ string | 2 path+ string | 3 repoURL string
ManagedNamespaceMetadata
  1 labels {}string | 2 annotations {}string
SyncPolicyAutomated
  1 prune *boolean | 2 selfHeal *boolean | 3 allowEmpty *boolean | 4 enabled *boolean
SyncOperationResult
  1 resources []ResourceResult | 2 revision+ string | 3 source+ ApplicationSource | 4 sources []ApplicationSource
  5 revisions []string | 6 managedNamespaceMetadata *ManagedNamespaceMetadata
HydrateOperation
  1 startedAt+ time | 2 finishedAt *time | 3 phase+ string | 4 message+ string | 5 drySHA string | 6 hydratedSHA string
  7 sourceHydrator+ SourceHydrator
SuccessfulHydrateOperation
  5 drySHA string | 6 hydratedSHA string | 7 sourceHydrator+ SourceHydrator
ComparedTo
  1 source+ ApplicationSource | 2 destination+ ApplicationDestination | 3 sources []ApplicationSource
  4 ignoreDifferences []ResourceIgnoreDifferences
Backoff
  1 duration string | 2 factor *int64 | 3 maxDuration string
SyncOperationResource
  1 group string | 2 kind+ string | 3 name+ string | 4 namespace string
SyncStrategy
  1 apply *SyncStrategyApply | 2 hook *SyncStrategyHook
ApplicationSourceJsonnet
  1 extVars []JsonnetVar | 2 tlas []JsonnetVar | 3 libs []string
HelmFileParameter
  1 name string | 2 path string
HelmParameter
  1 name string | 2 value string | 3 forceString boolean
KustomizePatch
  1 path string | 2 patch string | 3 target *KustomizeSelector | 4 options {}boolean
KustomizeReplica
  1 name+ string | 2 count+ int-or-string
ApplicationSourcePluginParameter
  1 name string | 5 string *string | - map *{}string | - array *[]string
EnvEntry
  1 name+ string | 2 value+ string
ResourceResult
  1 group+ string | 2 version+ string | 3 kind+ string | 4 namespace+ string | 5 name+ string | 6 status string
  7 message string | 8 hookType string | 9 hookPhase string | 10 syncPhase string | 11 images []string
SyncStrategyApply
  1 force boolean
SyncStrategyHook
  1 ...SyncStrategyApply
JsonnetVar
  1 name+ string | 2 value+ string | 3 code boolean
KustomizeSelector
  1 ...KustomizeResId | 2 annotationSelector string | 3 labelSelector string
KustomizeResId
  1 ...KustomizeGvk | 2 name string | 3 namespace string
KustomizeGvk
  1 group string | 2 version string | 3 kind string
`;
