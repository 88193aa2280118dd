/** The types of projects, repositories, clusters, certificates and keys, in the notation of the type table. */
export const installationTypes = `
AppProject kind
  1 metadata+ meta.ObjectMeta | 2 spec+ AppProjectSpec | 3 status+ AppProjectStatus
Repository
  1 repo+ string | 2 username string | 3 password string | 4 sshPrivateKey string | 5 connectionState+ ConnectionState
  6 insecureIgnoreHostKey boolean | 7 insecure boolean | 8 enableLfs boolean | 9 tlsClientCertData string
  10 tlsClientCertKey string | 11 type string | 12 name string | 13 inheritedCreds boolean | 14 enableOCI boolean
  15 githubAppPrivateKey string | 16 githubAppID int64 | 17 githubAppInstallationID int64
  18 githubAppEnterpriseBaseUrl string | 19 proxy string | 20 project string | 21 gcpServiceAccountKey string
  22 forceHttpBasicAuth boolean | 23 noProxy string | 24 useAzureWorkloadIdentity boolean | 25 bearerToken string
  26 insecureOCIForceHttp boolean | 27 depth int64 | 28 webhookManifestCacheWarmDisabled boolean
  29 azureServicePrincipalClientId string | 30 azureServicePrincipalClientSecret string
  31 azureServicePrincipalTenantId string | 32 azureActiveDirectoryEndpoint string
RepositoryCertificate
  1 serverName+ string | 2 certType+ string | 3 certSubType+ string | 4 certData+ bytes | 5 certInfo+ string
RepoCreds
  1 url+ string | 2 username string | 3 password string | 4 sshPrivateKey string | 5 tlsClientCertData string
  6 tlsClientCertKey string | 7 githubAppPrivateKey string | 8 githubAppID int64 | 9 githubAppInstallationID int64
  10 githubAppEnterpriseBaseUrl string | 11 enableOCI boolean | 12 type string | 13 gcpServiceAccountKey string
  19 proxy string | 20 forceHttpBasicAuth boolean | 23 noProxy string | 24 useAzureWorkloadIdentity boolean
  25 bearerToken string | 26 insecureOCIForceHttp boolean | 29 azureServicePrincipalClientId string
  30 azureServicePrincipalClientSecret string | 31 azureServicePrincipalTenantId string
  32 azureActiveDirectoryEndpoint string
Cluster
  1 server+ string | 2 name+ string | 3 config+ ClusterConfig | 4 connectionState+ ConnectionState
  5 serverVersion string | 6 namespaces []string | 7 refreshRequestedAt *time | 8 info+ ClusterInfo | 9 shard *int64
  10 clusterResources boolean | 11 project string | 12 labels {}string | 13 annotations {}string
GnuPGPublicKey
  1 keyID+ string | 2 fingerprint string | 3 owner string | 4 trust string | 5 subType string | 6 keyData string
AppProjectList kind
  1 metadata+ meta.ListMeta | 2 items+ []AppProject
RepositoryList
  1 metadata+ meta.ListMeta | 2 items+ []Repository
RepoCredsList
  1 metadata+ meta.ListMeta | 2 items+ []RepoCreds
ClusterList
  1 metadata+ meta.ListMeta | 2 items+ []Cluster
GnuPGPublicKeyList
  1 metadata+ meta.ListMeta | 2 items+ []GnuPGPublicKey
RepositoryCertificateList
  1 metadata+ meta.ListMeta | 2 items+ []RepositoryCertificate
KustomizeOptions
  1 BuildOptions+ string | 2 BinaryPath+ string | 3 Versions+ []KustomizeVersion
KustomizeVersion
  1 Name+ string | 2 Path+ string | 3 BuildOptions+ string
AppProjectSpec
  1 sourceRepos []string | 2 destinations []ApplicationDestination | 3 description string | 4 roles []ProjectRole
  5 clusterResourceWhitelist []ClusterResourceRestrictionItem | 6 namespaceResourceBlacklist []GroupKind
  7 orphanedResources *OrphanedResourcesMonitorSettings | 8 syncWindows []SyncWindow
  9 namespaceResourceWhitelist []GroupKind | 10 signatureKeys []SignatureKey
  11 clusterResourceBlacklist []ClusterResourceRestrictionItem | 12 sourceNamespaces []string
  13 permitOnlyProjectScopedClusters boolean | 14 destinationServiceAccounts []ApplicationDestinationServiceAccount
  15 sourceIntegrity *SourceIntegrity
AppProjectStatus
  1 jwtTokensByRole {}JWTTokens
ConnectionState
  1 status+ string | 2 message+ string | 3 attemptedAt+ *time
ClusterConfig
  1 username string | 2 password string | 3 bearerToken string | 4 tlsClientConfig+ TLSClientConfig
  5 awsAuthConfig *AWSAuthConfig | 6 execProviderConfig *ExecProviderConfig | 7 disableCompression boolean
  8 proxyUrl string
ClusterInfo
  1 connectionState+ ConnectionState | 2 serverVersion string | 3 cacheInfo+ ClusterCacheInfo
  4 applicationsCount+ int64 | 5 apiVersions []string
ApplicationDestinationServiceAccount
  1 server+ string | 2 namespace string | 3 defaultServiceAccount+ string
ClusterResourceRestrictionItem
  1 group+ string | 2 kind+ string | 3 name string
OrphanedResourcesMonitorSettings
  1 warn *boolean | 2 ignore []OrphanedResourceKey
ProjectRole
  1 name+ string | 2 description string | 3 policies []string | 4 jwtTokens []JWTToken | 5 groups []string
SignatureKey
  1 keyID+ string
SourceIntegrity
  1 git+ *SourceIntegrityGit
SyncWindow
  1 kind string | 2 schedule string | 3 duration string | 4 applications []string | 5 namespaces []string
  6 clusters []string | 7 manualSync boolean | 8 timeZone string | 9 andOperator boolean | 10 description string
  11 syncOverrun boolean
JWTTokens
  1 items []JWTToken
AWSAuthConfig
  1 clusterName string | 2 roleARN string | 3 profile string
ExecProviderConfig
  1 command string | 2 args []string | 3 env {}string | 4 apiVersion string | 5 installHint string
  6 provideClusterInfo boolean | 7 config *RawExtension
TLSClientConfig
  1 insecure+ boolean | 2 serverName string | 3 certData bytes | 4 keyData bytes | 5 caData bytes
ClusterCacheInfo
  1 resourcesCount int64 | 2 apisCount int64 | 3 lastCacheSyncTime *time
OrphanedResourceKey
  1 group string | 2 kind string | 3 name string
JWTToken
  1 iat+ int64 | 2 exp int64 | 3 id string
SourceIntegrityGit
  1 policies+ []SourceIntegrityGitPolicy
SourceIntegrityGitPolicy
  1 repos+ []SourceIntegrityGitPolicyRepo | 2 gpg+ *SourceIntegrityGitPolicyGPG
SourceIntegrityGitPolicyGPG
  1 mode+ string | 3 keys+ []string
SourceIntegrityGitPolicyRepo
  1 url+ string
GroupKind
  1 group+ string | 2 kind+ string
ResourceOverride
  1 health.lua string | 3 actions string | - ignoreDifferences string | 4 knownTypeFields []KnownTypeField
  5 health.lua.useOpenLibs boolean | - ignoreResourceUpdates string
  2 ignoreDifferences.rules OverrideIgnoreDiff | 6 ignoreResourceUpdates.rules OverrideIgnoreDiff
OverrideIgnoreDiff
  1 jsonPointers []string | 2 jqPathExpressions []string | 3 managedFieldsManagers []string
KnownTypeField
  1 field string | 2 type string
ConfigManagementPlugin
  1 name+ string | 2 init *Command | 3 generate+ Command | 4 lockRepo boolean
Command
  1 command []string | 2 args []string
`;
