/** The types of ApplicationSets, in the notation of the type table: protobuf number, name, type. */
export const applicationSetTypes = `
ApplicationSet kind
  1 metadata+ meta.ObjectMeta | 2 spec+ ApplicationSetSpec | 3 status+ ApplicationSetStatus
ApplicationSetSpec
  1 goTemplate boolean | 2 generators+ []ApplicationSetGenerator | 3 template+ ApplicationSetTemplate
  4 syncPolicy *ApplicationSetSyncPolicy | 5 strategy *ApplicationSetStrategy
  6 preservedFields *ApplicationPreservedFields | 7 goTemplateOptions []string | 8 applyNestedSelectors boolean
  9 ignoreApplicationDifferences []ApplicationSetResourceIgnoreDifferences | 10 templatePatch *string
ApplicationSetGenerator
  1 list *ListGenerator | 2 clusters *ClusterGenerator | 3 git *GitGenerator | 4 scmProvider *SCMProviderGenerator
  5 clusterDecisionResource *DuckTypeGenerator | 6 pullRequest *PullRequestGenerator | 7 matrix *MatrixGenerator
  8 merge *MergeGenerator | 9 selector *meta.LabelSelector | 10 plugin *PluginGenerator
ListGenerator
  1 elements+ []RawExtension | 2 template+ ApplicationSetTemplate | 3 elementsYaml string
ApplicationSetTemplate
  1 metadata+ ApplicationSetTemplateMeta | 2 spec+ ApplicationSpec
ApplicationSetTemplateMeta
  1 name string | 2 namespace string | 3 labels {}string | 4 annotations {}string | 5 finalizers []string
ClusterGenerator
  1 selector+ meta.LabelSelector | 2 template+ ApplicationSetTemplate | 3 values {}string | 4 flatList boolean
GitGenerator
  1 repoURL+ string | 2 directories []GitDirectoryGeneratorItem | 3 files []GitFileGeneratorItem | 4 revision+ string
  5 requeueAfterSeconds *int64 | 6 template+ ApplicationSetTemplate | 7 pathParamPrefix string | 8 values {}string
GitDirectoryGeneratorItem
  1 path+ string | 2 exclude boolean
GitFileGeneratorItem
  1 path+ string | 2 exclude boolean
SCMProviderGenerator
  1 github *SCMProviderGeneratorGithub | 2 gitlab *SCMProviderGeneratorGitlab
  3 bitbucket *SCMProviderGeneratorBitbucket | 4 bitbucketServer *SCMProviderGeneratorBitbucketServer
  5 gitea *SCMProviderGeneratorGitea | 6 azureDevOps *SCMProviderGeneratorAzureDevOps
  7 filters []SCMProviderGeneratorFilter | 8 cloneProtocol string | 9 requeueAfterSeconds *int64
  10 template+ ApplicationSetTemplate | 11 values {}string | 12 awsCodeCommit *SCMProviderGeneratorAWSCodeCommit
SCMProviderGeneratorGithub
  1 organization+ string | 2 api string | 3 tokenRef *SecretRef | 4 appSecretName string | 5 allBranches boolean
  6 excludeArchivedRepos boolean
SecretRef
  1 secretName+ string | 2 key+ string
SCMProviderGeneratorGitlab
  1 group+ string | 2 includeSubgroups boolean | 3 api string | 4 tokenRef *SecretRef | 5 allBranches boolean
  6 insecure boolean | 7 includeSharedProjects *boolean | 8 topic string | 9 caRef *ConfigMapKeyRef
  10 includeArchivedRepos boolean
ConfigMapKeyRef
  1 configMapName+ string | 2 key+ string
SCMProviderGeneratorBitbucket
  1 owner+ string | 2 user+ string | 3 appPasswordRef+ *SecretRef | 4 allBranches boolean
SCMProviderGeneratorBitbucketServer
  1 project+ string | 2 api+ string | 3 basicAuth *BasicAuthBitbucketServer | 4 allBranches boolean
  5 bearerToken *BearerTokenBitbucket | 6 insecure boolean | 7 caRef *ConfigMapKeyRef
BasicAuthBitbucketServer
  1 username+ string | 2 passwordRef+ *SecretRef
BearerTokenBitbucket
  1 tokenRef+ *SecretRef
SCMProviderGeneratorGitea
  1 owner+ string | 2 api+ string | 3 tokenRef *SecretRef | 4 allBranches boolean | 5 insecure boolean
  6 excludeArchivedRepos boolean
SCMProviderGeneratorAzureDevOps
  5 organization+ string | 6 api string | 7 teamProject+ string | 8 accessTokenRef+ *SecretRef | 9 allBranches boolean
SCMProviderGeneratorFilter
  1 repositoryMatch *string | 2 pathsExist []string | 3 pathsDoNotExist []string | 4 labelMatch *string
  5 branchMatch *string
SCMProviderGeneratorAWSCodeCommit
  1 tagFilters []TagFilter | 2 role string | 3 region string | 4 allBranches boolean
TagFilter
  1 key+ string | 2 value string
DuckTypeGenerator
  1 configMapRef+ string | 2 name string | 3 requeueAfterSeconds *int64 | 4 labelSelector+ meta.LabelSelector
  5 template+ ApplicationSetTemplate | 6 values {}string
PullRequestGenerator
  1 github *PullRequestGeneratorGithub | 2 gitlab *PullRequestGeneratorGitLab | 3 gitea *PullRequestGeneratorGitea
  4 bitbucketServer *PullRequestGeneratorBitbucketServer | 5 filters []PullRequestGeneratorFilter
  6 requeueAfterSeconds *int64 | 7 template+ ApplicationSetTemplate | 8 bitbucket *PullRequestGeneratorBitbucket
  9 azuredevops *PullRequestGeneratorAzureDevOps | 10 values {}string | 11 continueOnRepoNotFoundError boolean
PullRequestGeneratorGithub
  1 owner+ string | 2 repo+ string | 3 api string | 4 tokenRef *SecretRef | 5 appSecretName string | 6 labels []string
PullRequestGeneratorGitLab
  1 project+ string | 2 api string | 3 tokenRef *SecretRef | 4 labels []string | 5 pullRequestState string
  6 insecure boolean | 7 caRef *ConfigMapKeyRef
PullRequestGeneratorGitea
  1 owner+ string | 2 repo+ string | 3 api+ string | 4 tokenRef *SecretRef | 5 insecure boolean | 6 labels []string
PullRequestGeneratorBitbucketServer
  1 project+ string | 2 repo+ string | 3 api+ string | 4 basicAuth *BasicAuthBitbucketServer
  5 bearerToken *BearerTokenBitbucket | 6 insecure boolean | 7 caRef *ConfigMapKeyRef
PullRequestGeneratorFilter
  1 branchMatch *string | 2 targetBranchMatch *string | 3 titleMatch *string
PullRequestGeneratorBitbucket
  1 owner+ string | 2 repo+ string | 3 api string | 4 basicAuth *BasicAuthBitbucketServer
  5 bearerToken *BearerTokenBitbucketCloud
BearerTokenBitbucketCloud
  1 tokenRef+ *SecretRef
PullRequestGeneratorAzureDevOps
  1 organization+ string | 2 project+ string | 3 repo+ string | 4 api string | 5 tokenRef *SecretRef | 6 labels []string
MatrixGenerator
  1 generators+ []ApplicationSetNestedGenerator | 2 template+ ApplicationSetTemplate
ApplicationSetNestedGenerator
  1 list *ListGenerator | 2 clusters *ClusterGenerator | 3 git *GitGenerator | 4 scmProvider *SCMProviderGenerator
  5 clusterDecisionResource *DuckTypeGenerator | 6 pullRequest *PullRequestGenerator | 7 matrix RawExtension
  8 merge RawExtension | 9 selector *meta.LabelSelector | 10 plugin *PluginGenerator
PluginGenerator
  1 configMapRef+ PluginConfigMapRef | 2 input+ PluginInput | 3 requeueAfterSeconds *int64
  4 template+ ApplicationSetTemplate | 5 values {}string
PluginConfigMapRef
  1 name+ string
PluginInput
  1 parameters {}RawExtension
MergeGenerator
  1 generators+ []ApplicationSetNestedGenerator | 2 mergeKeys+ []string | 3 template+ ApplicationSetTemplate
ApplicationSetSyncPolicy
  1 preserveResourcesOnDeletion boolean | 2 applicationsSync *string
ApplicationSetStrategy
  1 type string | 2 rollingSync *ApplicationSetRolloutStrategy | 3 deletionOrder string
ApplicationSetRolloutStrategy
  1 steps []ApplicationSetRolloutStep
ApplicationSetRolloutStep
  1 matchExpressions []ApplicationMatchExpression | 2 maxUpdate int-or-string
ApplicationMatchExpression
  1 key string | 2 operator string | 3 values []string
ApplicationPreservedFields
  1 annotations []string | 2 labels []string
ApplicationSetResourceIgnoreDifferences
  1 name string | 2 jsonPointers []string | 3 jqPathExpressions []string
ApplicationSetStatus
  1 conditions []ApplicationSetCondition | 2 applicationStatus []ApplicationSetApplicationStatus
  3 resources []ResourceStatus | 4 resourcesCount int64 | 5 health+ HealthStatus
ApplicationSetCondition
  1 type+ string | 2 message+ string | 3 lastTransitionTime *time | 4 status+ string | 5 reason+ string
ApplicationSetApplicationStatus
  1 application+ string | 2 lastTransitionTime *time | 3 message+ string | 4 status+ string | 5 step+ string
  6 targetRevisions+ []string
ApplicationSetList kind
  1 metadata+ meta.ListMeta | 2 items+ []ApplicationSet
ApplicationSetTree
  1 nodes []ResourceNode
ApplicationSetWatchEvent
  1 type+ string | 2 applicationSet+ ApplicationSet
`;
