/** Requests and responses of Applications and ApplicationSets, in the notation of the type table. */
export const applicationMessages = {
  application: `
ApplicationQuery
  1 name *string | 2 refresh *string | 3 projects []string | 4 resourceVersion *string | 5 selector *string
  6 repo *string | 7 appNamespace *string | 8 project []string
NodeQuery
  1 name *string | 2 appNamespace *string
RevisionMetadataQuery
  1 name! string | 2 revision! string | 3 appNamespace *string | 4 project *string | 5 sourceIndex *int32
  6 versionId *int32
ApplicationResourceEventsQuery
  1 name! string | 2 resourceNamespace *string | 3 resourceName *string | 4 resourceUID *string | 5 appNamespace *string
  6 project *string
ApplicationManifestQuery
  1 name! string | 2 revision *string | 3 appNamespace *string | 4 project *string | 5 sourcePositions []int64
  6 revisions []string | 7 noCache *boolean
FileChunk
  1 chunk! bytes
ApplicationManifestQueryWithFilesWrapper
  1 query *ApplicationManifestQueryWithFiles | 2 chunk *FileChunk
ApplicationManifestQueryWithFiles
  1 name! string | 2 checksum! string | 3 appNamespace *string | 4 project *string
ApplicationResponse
ApplicationCreateRequest
  1 application! *v1alpha1.Application | 2 upsert *boolean | 3 validate *boolean
ApplicationUpdateRequest
  1 application! *v1alpha1.Application | 2 validate *boolean | 3 project *string
ApplicationDeleteRequest
  1 name! string | 2 cascade *boolean | 3 propagationPolicy *string | 4 appNamespace *string | 5 project *string
SyncOptions
  1 items []string
ApplicationSyncRequest
  1 name! string | 2 revision *string | 3 dryRun *boolean | 4 prune *boolean | 5 strategy *v1alpha1.SyncStrategy
  7 resources []v1alpha1.SyncOperationResource | 8 manifests []string | 9 infos []v1alpha1.Info
  10 retryStrategy *v1alpha1.RetryStrategy | 11 syncOptions *SyncOptions | 12 appNamespace *string | 13 project *string
  14 sourcePositions []int64 | 15 revisions []string
ApplicationUpdateSpecRequest
  1 name! string | 2 spec! *v1alpha1.ApplicationSpec | 3 validate *boolean | 4 appNamespace *string | 5 project *string
ApplicationPatchRequest
  1 name! string | 2 patch! string | 3 patchType! string | 5 appNamespace *string | 6 project *string
ApplicationRollbackRequest
  1 name! string | 2 id! int64 | 3 dryRun *boolean | 4 prune *boolean | 6 appNamespace *string | 7 project *string
ApplicationResourceRequest
  1 name! string | 2 namespace *string | 3 resourceName! string | 4 version! string | 5 group *string | 6 kind! string
  7 appNamespace *string | 8 project *string
ApplicationResourcePatchRequest
  1 name! string | 2 namespace *string | 3 resourceName! string | 4 version! string | 5 group *string | 6 kind! string
  7 patch! string | 8 patchType! string | 9 appNamespace *string | 10 project *string
ApplicationResourceDeleteRequest
  1 name! string | 2 namespace *string | 3 resourceName! string | 4 version! string | 5 group *string | 6 kind! string
  7 force *boolean | 8 orphan *boolean | 9 appNamespace *string | 10 project *string
ResourceActionParameters
  1 name! string | 2 value! string
ResourceActionRunRequest
  1 name! string | 2 namespace *string | 3 resourceName! string | 4 version! string | 5 group *string | 6 kind! string
  7 action! string | 8 appNamespace *string | 9 project *string
ResourceActionRunRequestV2
  1 name! string | 2 namespace *string | 3 resourceName! string | 4 version! string | 5 group *string | 6 kind! string
  7 action! string | 8 appNamespace *string | 9 project *string | 10 resourceActionParameters []ResourceActionParameters
ResourceActionsListResponse
  1 actions []v1alpha1.ResourceAction
ApplicationResourceResponse
  1 manifest! string
ApplicationPodLogsQuery
  1 name! string | 2 namespace *string | 3 podName *string | 4 container *string | 5 sinceSeconds *int64
  6 sinceTime *time | 7 tailLines *int64 | 8 follow *boolean | 9 untilTime *string | 10 filter *string | 11 kind *string
  12 group *string | 13 resourceName *string | 14 previous *boolean | 15 appNamespace *string | 16 project *string
  17 matchCase *boolean
LogEntry
  1 content! string | 2 timeStamp! time | 3 last! boolean | 4 timeStampStr! string | 5 podName! string
OperationTerminateRequest
  1 name! string | 2 appNamespace *string | 3 project *string
ApplicationSyncWindowsQuery
  1 name! string | 2 appNamespace *string | 3 project *string
ApplicationSyncWindowsResponse
  1 activeWindows []ApplicationSyncWindow | 2 assignedWindows []ApplicationSyncWindow | 3 canSync! boolean
ApplicationSyncWindow
  1 kind! string | 2 schedule! string | 3 duration! string | 4 manualSync! boolean
OperationTerminateResponse
ResourcesQuery
  1 applicationName! string | 2 namespace *string | 3 name *string | 4 version *string | 5 group *string
  6 kind *string | 7 appNamespace *string | 8 project *string
ManagedResourcesResponse
  1 items []v1alpha1.ResourceDiff
ApplicationServerSideDiffQuery
  1 appName! string | 2 appNamespace *string | 3 project *string | 4 liveResources []v1alpha1.ResourceDiff
  5 targetManifests []string
ApplicationServerSideDiffResponse
  1 items []v1alpha1.ResourceDiff | 2 modified! boolean
LinkInfo
  1 title! string | 2 url! string | 3 description *string | 4 iconClass *string
LinksResponse
  1 items []LinkInfo
ListAppLinksRequest
  1 name! string | 3 namespace *string | 4 project *string
`,
  applicationset: `
ApplicationSetGetQuery
  1 name string | 2 appsetNamespace string
ApplicationSetListQuery
  1 projects []string | 2 selector string | 3 appsetNamespace string
ApplicationSetWatchQuery
  1 name string | 2 projects []string | 3 selector string | 4 appSetNamespace string | 5 resourceVersion string
ApplicationSetResponse
  1 project string | 2 applicationset *v1alpha1.ApplicationSet
ApplicationSetCreateRequest
  1 applicationset *v1alpha1.ApplicationSet | 2 upsert boolean | 3 dryRun boolean
ApplicationSetDeleteRequest
  1 name string | 2 appsetNamespace string
ApplicationSetTreeQuery
  1 name string | 2 appsetNamespace string
ApplicationSetGenerateRequest
  1 applicationSet *v1alpha1.ApplicationSet
ApplicationSetGenerateResponse
  1 applications []v1alpha1.Application
`,
} as const;
