/** Requests and responses of the services, by Go package, in the notation of the type table. */
export const serviceMessages = {
  version: `
VersionMessage
  1 Version string | 2 BuildDate string | 3 GitCommit string | 4 GitTag string | 5 GitTreeState string
  6 GoVersion string | 7 Compiler string | 8 Platform string | 10 KustomizeVersion string | 11 HelmVersion string
  12 KubectlVersion string | 13 JsonnetVersion string | 14 ExtraBuildInfo string
`,
  session: `
SessionCreateRequest
  1 username string | 2 password string | 3 token string
SessionDeleteRequest
SessionResponse
  1 token string
GetUserInfoRequest
GetUserInfoResponse
  1 loggedIn boolean | 2 username string | 3 iss string | 4 groups []string
`,
  account: `
UpdatePasswordRequest
  1 newPassword string | 2 currentPassword string | 3 name string
UpdatePasswordResponse
CanIRequest
  1 resource string | 2 action string | 3 subresource string
CanIResponse
  1 value string
GetAccountRequest
  1 name string
Account
  1 name string | 2 enabled boolean | 3 capabilities []string | 4 tokens []Token
AccountsList
  1 items []Account
Token
  1 id string | 2 issuedAt int64 | 3 expiresAt int64
TokensList
  1 items []Token
CreateTokenRequest
  1 name string | 2 expiresIn int64 | 3 id string
CreateTokenResponse
  1 token string
DeleteTokenRequest
  1 name string | 2 id string
ListAccountRequest
EmptyResponse
`,
  settings: `
SettingsQuery
Settings
  1 url string | 2 dexConfig *DexConfig | 3 oidcConfig *OIDCConfig | 4 appLabelKey string
  5 resourceOverrides {}v1alpha1.ResourceOverride | 6 statusBadgeEnabled boolean
  7 googleAnalytics *GoogleAnalyticsConfig | 8 kustomizeOptions *v1alpha1.KustomizeOptions | 9 help *Help
  10 plugins []Plugin | 11 userLoginsDisabled boolean | 12 configManagementPlugins []v1alpha1.ConfigManagementPlugin
  13 kustomizeVersions []string | 14 uiCssURL string | 15 uiBannerContent string | 16 uiBannerURL string
  17 passwordPattern string | 18 trackingMethod string | 19 uiBannerPermanent boolean | 20 uiBannerPosition string
  21 statusBadgeRootUrl string | 22 execEnabled boolean | 23 controllerNamespace string
  24 appsInAnyNamespaceEnabled boolean | 25 impersonationEnabled boolean | 26 installationID string
  27 additionalUrls []string | 28 hydratorEnabled boolean | 29 syncWithReplaceAllowed boolean
  30 uiLoginButtonText string | 31 resourceViewEnabled boolean
GoogleAnalyticsConfig
  1 trackingID string | 2 anonymizeUsers boolean
SettingsPluginsResponse
  1 plugins []Plugin
Help
  1 chatUrl string | 2 chatText string | 3 binaryUrls {}string
Plugin
  1 name string
DexConfig
  1 connectors []Connector | 2 dexAuthConnectorID string
Connector
  1 name string | 2 type string | 3 id string
OIDCConfig
  1 name string | 2 issuer string | 3 clientID string | 4 cliClientID string | 5 scopes []string
  6 idTokenClaims {}Claim | 7 enablePKCEAuthentication boolean
Claim
  1 essential boolean | 2 value string | 3 values []string
`,
  project: `
ProjectCreateRequest
  1 project *v1alpha1.AppProject | 2 upsert boolean
ProjectTokenDeleteRequest
  1 project string | 2 role string | 3 iat int64 | 4 id string
ProjectTokenCreateRequest
  1 project string | 2 description string | 3 role string | 4 expiresIn int64 | 5 id string
ProjectTokenResponse
  1 token string
ProjectQuery
  1 name string
ProjectUpdateRequest
  1 project *v1alpha1.AppProject
EmptyResponse
SyncWindowsQuery
  1 name string
SyncWindowsResponse
  1 windows []v1alpha1.SyncWindow
GlobalProjectsResponse
  1 items []v1alpha1.AppProject
DetailedProjectsResponse
  1 globalProjects []v1alpha1.AppProject | 2 project *v1alpha1.AppProject | 3 repositories []v1alpha1.Repository
  4 clusters []v1alpha1.Cluster
ListProjectLinksRequest
  1 name string
`,
  repository: `
RepoAppsQuery
  1 repo string | 2 revision string | 3 appName string | 4 appProject string
AppInfo
  1 type string | 2 path string
RepoAppDetailsQuery
  1 source *v1alpha1.ApplicationSource | 2 appName string | 3 appProject string | 4 sourceIndex int32
  5 versionId int32
RepoAppsResponse
  1 items []AppInfo
RepoQuery
  1 repo string | 2 forceRefresh boolean | 3 appProject string
RepoAccessQuery
  1 repo string | 2 username string | 3 password string | 4 sshPrivateKey string | 5 insecure boolean
  6 tlsClientCertData string | 7 tlsClientCertKey string | 9 type string | 10 name string | 11 enableOci boolean
  12 githubAppPrivateKey string | 13 githubAppID int64 | 14 githubAppInstallationID int64
  15 githubAppEnterpriseBaseUrl string | 16 proxy string | 17 project string | 18 gcpServiceAccountKey string
  19 forceHttpBasicAuth boolean | 20 useAzureWorkloadIdentity boolean | 21 bearerToken string
  22 insecureOciForceHttp boolean | 23 azureServicePrincipalClientId string
  24 azureServicePrincipalClientSecret string | 25 azureServicePrincipalTenantId string
  26 azureActiveDirectoryEndpoint string
RepoResponse
RepoCreateRequest
  1 repo *v1alpha1.Repository | 2 upsert boolean | 3 credsOnly boolean
RepoUpdateRequest
  1 repo *v1alpha1.Repository
ManifestResponse
  1 manifests []string | 2 namespace string | 3 server string | 4 revision string | 6 sourceType string
  7 verifyResult string | 8 commands []string | 9 sourceIntegrityResult *v1alpha1.SourceIntegrityCheckResult
Refs
  1 branches []string | 2 tags []string
RepoAppDetailsResponse
  1 type string | 3 helm *HelmAppSpec | 4 kustomize *KustomizeAppSpec | 5 directory *DirectoryAppSpec
HelmAppSpec
  1 name string | 3 valueFiles []string | 4 parameters []v1alpha1.HelmParameter | 5 values string
  6 fileParameters []v1alpha1.HelmFileParameter
KustomizeAppSpec
  3 images []string
DirectoryAppSpec
HelmChartsResponse
  1 items []HelmChart
HelmChart
  1 name string | 2 versions []string
`,
  repocreds: `
RepoCredsQuery
  1 url string
RepoCredsDeleteRequest
  1 url string
RepoCredsResponse
RepoCredsCreateRequest
  1 creds *v1alpha1.RepoCreds | 2 upsert boolean
RepoCredsUpdateRequest
  1 creds *v1alpha1.RepoCreds
`,
  cluster: `
ClusterID
  1 type string | 2 value string
ClusterQuery
  1 server string | 2 name string | 3 id *ClusterID
ClusterResponse
ClusterCreateRequest
  1 cluster *v1alpha1.Cluster | 2 upsert boolean
ClusterUpdateRequest
  1 cluster *v1alpha1.Cluster | 2 updatedFields []string | 3 id *ClusterID
`,
  certificate: `
RepositoryCertificateQuery
  1 hostNamePattern string | 2 certType string | 3 certSubType string
RepositoryCertificateCreateRequest
  1 certificates *v1alpha1.RepositoryCertificateList | 2 upsert boolean
RepositoryCertificateResponse
`,
  gpgkey: `
GnuPGPublicKeyQuery
  1 keyID string
GnuPGPublicKeyCreateRequest
  1 publickey *v1alpha1.GnuPGPublicKey | 2 upsert boolean
GnuPGPublicKeyCreateResponse
  1 created *v1alpha1.GnuPGPublicKeyList | 2 skipped []string
GnuPGPublicKeyResponse
`,
  notification: `
Trigger
  1 name! string
TriggerList
  1 items []Trigger
TriggersListRequest
Service
  1 name! string
ServiceList
  1 items []Service
ServicesListRequest
Template
  1 name! string
TemplateList
  1 items []Template
TemplatesListRequest
`,
  health: `
HealthCheckRequest
  1 service string
HealthCheckResponse
  1 status int32
`,
  events: `
EventList
  1 metadata+ meta.ListMeta | 2 items+ []Event
Event
  1 metadata+ meta.ObjectMeta | 2 involvedObject+ ObjectReference | 3 reason string | 4 message string
  5 source+ EventSource | 6 firstTimestamp+ time | 7 lastTimestamp+ time | 8 count int32 | 9 type string
  10 eventTime+ micro-time | 11 series *EventSeries | 12 action string | 13 related *ObjectReference
  14 reportingComponent string | 15 reportingInstance string
ObjectReference
  1 kind string | 2 namespace string | 3 name string | 4 uid string | 5 apiVersion string | 6 resourceVersion string
  7 fieldPath string
EventSource
  1 component string | 2 host string
EventSeries
  1 count int32 | 2 lastObservedTime+ micro-time
`,
} as const;
