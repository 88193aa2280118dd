/**
 * The REST API: method, path, call, request message, which field the body is (`*`: all of it), and response message. A later row wins
 * over an earlier one with the same path.
 */
export const routeTable = `
GET /api/version Version.Version settings.SettingsQuery -> version.VersionMessage
GET /api/v1/session/userinfo Session.GetUserInfo session.GetUserInfoRequest -> session.GetUserInfoResponse
POST /api/v1/session Session.Create session.SessionCreateRequest body=* -> session.SessionResponse
DELETE /api/v1/session Session.Delete session.SessionDeleteRequest -> session.SessionResponse
GET /api/v1/account/can-i/{resource}/{action}/{subresource=**} Account.CanI account.CanIRequest -> account.CanIResponse
PUT /api/v1/account/password Account.UpdatePassword account.UpdatePasswordRequest body=* -> account.UpdatePasswordResponse
GET /api/v1/account Account.ListAccounts account.ListAccountRequest -> account.AccountsList
GET /api/v1/account/{name} Account.GetAccount account.GetAccountRequest -> account.Account
POST /api/v1/account/{name}/token Account.CreateToken account.CreateTokenRequest body=* -> account.CreateTokenResponse
DELETE /api/v1/account/{name}/token/{id} Account.DeleteToken account.DeleteTokenRequest -> account.EmptyResponse
GET /api/v1/settings Settings.Get settings.SettingsQuery -> settings.Settings
GET /api/v1/settings/plugins Settings.GetPlugins settings.SettingsQuery -> settings.SettingsPluginsResponse
POST /api/v1/projects/{project}/roles/{role}/token Project.CreateToken project.ProjectTokenCreateRequest body=* -> project.ProjectTokenResponse
DELETE /api/v1/projects/{project}/roles/{role}/token/{iat} Project.DeleteToken project.ProjectTokenDeleteRequest -> project.EmptyResponse
POST /api/v1/projects Project.Create project.ProjectCreateRequest body=* -> v1alpha1.AppProject
GET /api/v1/projects Project.List project.ProjectQuery -> v1alpha1.AppProjectList
GET /api/v1/projects/{name}/detailed Project.GetDetailedProject project.ProjectQuery -> project.DetailedProjectsResponse
GET /api/v1/projects/{name} Project.Get project.ProjectQuery -> v1alpha1.AppProject
GET /api/v1/projects/{name}/globalprojects Project.GetGlobalProjects project.ProjectQuery -> project.GlobalProjectsResponse
PUT /api/v1/projects/{project.metadata.name} Project.Update project.ProjectUpdateRequest body=* -> v1alpha1.AppProject
DELETE /api/v1/projects/{name} Project.Delete project.ProjectQuery -> project.EmptyResponse
GET /api/v1/projects/{name}/events Project.ListEvents project.ProjectQuery -> events.EventList
GET /api/v1/projects/{name}/syncwindows Project.GetSyncWindowsState project.SyncWindowsQuery -> project.SyncWindowsResponse
GET /api/v1/projects/{name}/links Project.ListLinks project.ListProjectLinksRequest -> application.LinksResponse
GET /api/v1/repositories/{repo} Repository.Get repository.RepoQuery -> v1alpha1.Repository
GET /api/v1/write-repositories/{repo} Repository.GetWrite repository.RepoQuery -> v1alpha1.Repository
GET /api/v1/repositories Repository.ListRepositories repository.RepoQuery -> v1alpha1.RepositoryList
GET /api/v1/write-repositories Repository.ListWriteRepositories repository.RepoQuery -> v1alpha1.RepositoryList
GET /api/v1/repositories/{repo}/refs Repository.ListRefs repository.RepoQuery -> repository.Refs
GET /api/v1/repositories/{repo}/oci-tags Repository.ListOCITags repository.RepoQuery -> repository.Refs
GET /api/v1/repositories/{repo}/apps Repository.ListApps repository.RepoAppsQuery -> repository.RepoAppsResponse
POST /api/v1/repositories/{source.repoURL}/appdetails Repository.GetAppDetails repository.RepoAppDetailsQuery body=* -> repository.RepoAppDetailsResponse
GET /api/v1/repositories/{repo}/helmcharts Repository.GetHelmCharts repository.RepoQuery -> repository.HelmChartsResponse
POST /api/v1/repositories Repository.CreateRepository repository.RepoCreateRequest body=repo -> v1alpha1.Repository
POST /api/v1/write-repositories Repository.CreateWriteRepository repository.RepoCreateRequest body=repo -> v1alpha1.Repository
PUT /api/v1/repositories/{repo.repo} Repository.UpdateRepository repository.RepoUpdateRequest body=repo -> v1alpha1.Repository
PUT /api/v1/write-repositories/{repo.repo} Repository.UpdateWriteRepository repository.RepoUpdateRequest body=repo -> v1alpha1.Repository
DELETE /api/v1/repositories/{repo} Repository.DeleteRepository repository.RepoQuery -> repository.RepoResponse
DELETE /api/v1/write-repositories/{repo} Repository.DeleteWriteRepository repository.RepoQuery -> repository.RepoResponse
POST /api/v1/repositories/{repo}/validate Repository.ValidateAccess repository.RepoAccessQuery body=repo -> repository.RepoResponse
POST /api/v1/write-repositories/{repo}/validate Repository.ValidateWriteAccess repository.RepoAccessQuery body=repo -> repository.RepoResponse
GET /api/v1/repocreds RepoCreds.ListRepositoryCredentials repocreds.RepoCredsQuery -> v1alpha1.RepoCredsList
GET /api/v1/write-repocreds RepoCreds.ListWriteRepositoryCredentials repocreds.RepoCredsQuery -> v1alpha1.RepoCredsList
POST /api/v1/repocreds RepoCreds.CreateRepositoryCredentials repocreds.RepoCredsCreateRequest body=creds -> v1alpha1.RepoCreds
POST /api/v1/write-repocreds RepoCreds.CreateWriteRepositoryCredentials repocreds.RepoCredsCreateRequest body=creds -> v1alpha1.RepoCreds
PUT /api/v1/repocreds/{creds.url} RepoCreds.UpdateRepositoryCredentials repocreds.RepoCredsUpdateRequest body=creds -> v1alpha1.RepoCreds
PUT /api/v1/write-repocreds/{creds.url} RepoCreds.UpdateWriteRepositoryCredentials repocreds.RepoCredsUpdateRequest body=creds -> v1alpha1.RepoCreds
DELETE /api/v1/repocreds/{url} RepoCreds.DeleteRepositoryCredentials repocreds.RepoCredsDeleteRequest -> repocreds.RepoCredsResponse
DELETE /api/v1/write-repocreds/{url} RepoCreds.DeleteWriteRepositoryCredentials repocreds.RepoCredsDeleteRequest -> repocreds.RepoCredsResponse
GET /api/v1/clusters Cluster.List cluster.ClusterQuery -> v1alpha1.ClusterList
POST /api/v1/clusters Cluster.Create cluster.ClusterCreateRequest body=cluster -> v1alpha1.Cluster
GET /api/v1/clusters/{id.value} Cluster.Get cluster.ClusterQuery -> v1alpha1.Cluster
PUT /api/v1/clusters/{id.value} Cluster.Update cluster.ClusterUpdateRequest body=cluster -> v1alpha1.Cluster
DELETE /api/v1/clusters/{id.value} Cluster.Delete cluster.ClusterQuery -> cluster.ClusterResponse
POST /api/v1/clusters/{id.value}/rotate-auth Cluster.RotateAuth cluster.ClusterQuery -> cluster.ClusterResponse
POST /api/v1/clusters/{id.value}/invalidate-cache Cluster.InvalidateCache cluster.ClusterQuery -> v1alpha1.Cluster
GET /api/v1/certificates Certificate.ListCertificates certificate.RepositoryCertificateQuery -> v1alpha1.RepositoryCertificateList
POST /api/v1/certificates Certificate.CreateCertificate certificate.RepositoryCertificateCreateRequest body=certificates -> v1alpha1.RepositoryCertificateList
DELETE /api/v1/certificates Certificate.DeleteCertificate certificate.RepositoryCertificateQuery -> v1alpha1.RepositoryCertificateList
GET /api/v1/gpgkeys GPGKey.List gpgkey.GnuPGPublicKeyQuery -> v1alpha1.GnuPGPublicKeyList
GET /api/v1/gpgkeys/{keyID} GPGKey.Get gpgkey.GnuPGPublicKeyQuery -> v1alpha1.GnuPGPublicKey
POST /api/v1/gpgkeys GPGKey.Create gpgkey.GnuPGPublicKeyCreateRequest body=publickey -> gpgkey.GnuPGPublicKeyCreateResponse
DELETE /api/v1/gpgkeys GPGKey.Delete gpgkey.GnuPGPublicKeyQuery -> gpgkey.GnuPGPublicKeyResponse
GET /api/v1/applications Application.List application.ApplicationQuery -> v1alpha1.ApplicationList
GET /api/v1/applications/{name}/events Application.ListResourceEvents application.ApplicationResourceEventsQuery -> events.EventList
GET /api/v1/stream/applications Application.Watch application.ApplicationQuery -> stream v1alpha1.ApplicationWatchEvent
POST /api/v1/applications Application.Create application.ApplicationCreateRequest body=application -> v1alpha1.Application
GET /api/v1/applications/{name} Application.Get application.ApplicationQuery -> v1alpha1.Application
GET /api/v1/applications/{name}/syncwindows Application.GetApplicationSyncWindows application.ApplicationSyncWindowsQuery -> application.ApplicationSyncWindowsResponse
GET /api/v1/applications/{name}/revisions/{revision}/metadata Application.RevisionMetadata application.RevisionMetadataQuery -> v1alpha1.RevisionMetadata
GET /api/v1/applications/{name}/revisions/{revision}/chartdetails Application.RevisionChartDetails application.RevisionMetadataQuery -> v1alpha1.ChartDetails
GET /api/v1/applications/{name}/revisions/{revision}/ocimetadata Application.GetOCIMetadata application.RevisionMetadataQuery -> v1alpha1.OCIMetadata
GET /api/v1/applications/{name}/manifests Application.GetManifests application.ApplicationManifestQuery -> repository.ManifestResponse
POST /api/v1/applications/manifestsWithFiles Application.GetManifestsWithFiles application.ApplicationManifestQueryWithFilesWrapper body=* -> repository.ManifestResponse
PUT /api/v1/applications/{application.metadata.name} Application.Update application.ApplicationUpdateRequest body=application -> v1alpha1.Application
PUT /api/v1/applications/{name}/spec Application.UpdateSpec application.ApplicationUpdateSpecRequest body=spec -> v1alpha1.ApplicationSpec
PATCH /api/v1/applications/{name} Application.Patch application.ApplicationPatchRequest body=* -> v1alpha1.Application
DELETE /api/v1/applications/{name} Application.Delete application.ApplicationDeleteRequest -> application.ApplicationResponse
POST /api/v1/applications/{name}/sync Application.Sync application.ApplicationSyncRequest body=* -> v1alpha1.Application
GET /api/v1/applications/{applicationName}/managed-resources Application.ManagedResources application.ResourcesQuery -> application.ManagedResourcesResponse
GET /api/v1/applications/{appName}/server-side-diff Application.ServerSideDiff application.ApplicationServerSideDiffQuery -> application.ApplicationServerSideDiffResponse
GET /api/v1/applications/{applicationName}/resource-tree Application.ResourceTree application.ResourcesQuery -> v1alpha1.ApplicationTree
GET /api/v1/stream/applications/{applicationName}/resource-tree Application.WatchResourceTree application.ResourcesQuery -> stream v1alpha1.ApplicationTree
POST /api/v1/applications/{name}/rollback Application.Rollback application.ApplicationRollbackRequest body=* -> v1alpha1.Application
DELETE /api/v1/applications/{name}/operation Application.TerminateOperation application.OperationTerminateRequest -> application.OperationTerminateResponse
GET /api/v1/applications/{name}/resource Application.GetResource application.ApplicationResourceRequest -> application.ApplicationResourceResponse
POST /api/v1/applications/{name}/resource Application.PatchResource application.ApplicationResourcePatchRequest body=patch -> application.ApplicationResourceResponse
GET /api/v1/applications/{name}/resource/actions Application.ListResourceActions application.ApplicationResourceRequest -> application.ResourceActionsListResponse
POST /api/v1/applications/{name}/resource/actions Application.RunResourceAction application.ResourceActionRunRequest body=action -> application.ApplicationResponse
POST /api/v1/applications/{name}/resource/actions/v2 Application.RunResourceActionV2 application.ResourceActionRunRequestV2 body=* -> application.ApplicationResponse
DELETE /api/v1/applications/{name}/resource Application.DeleteResource application.ApplicationResourceDeleteRequest -> application.ApplicationResponse
GET /api/v1/applications/{name}/pods/{podName}/logs Application.PodLogs application.ApplicationPodLogsQuery -> stream application.LogEntry
GET /api/v1/applications/{name}/logs Application.PodLogs application.ApplicationPodLogsQuery -> stream application.LogEntry
GET /api/v1/applications/{name}/links Application.ListLinks application.ListAppLinksRequest -> application.LinksResponse
GET /api/v1/applications/{name}/resource/links Application.ListResourceLinks application.ApplicationResourceRequest -> application.LinksResponse
GET /api/v1/applicationsets/{name} ApplicationSet.Get applicationset.ApplicationSetGetQuery -> v1alpha1.ApplicationSet
POST /api/v1/applicationsets/generate ApplicationSet.Generate applicationset.ApplicationSetGenerateRequest body=* -> applicationset.ApplicationSetGenerateResponse
GET /api/v1/applicationsets ApplicationSet.List applicationset.ApplicationSetListQuery -> v1alpha1.ApplicationSetList
POST /api/v1/applicationsets ApplicationSet.Create applicationset.ApplicationSetCreateRequest body=applicationset -> v1alpha1.ApplicationSet
DELETE /api/v1/applicationsets/{name} ApplicationSet.Delete applicationset.ApplicationSetDeleteRequest -> applicationset.ApplicationSetResponse
GET /api/v1/applicationsets/{name}/resource-tree ApplicationSet.ResourceTree applicationset.ApplicationSetTreeQuery -> v1alpha1.ApplicationSetTree
GET /api/v1/applicationsets/{name}/events ApplicationSet.ListResourceEvents applicationset.ApplicationSetGetQuery -> events.EventList
GET /api/v1/stream/applicationsets ApplicationSet.Watch applicationset.ApplicationSetWatchQuery -> stream v1alpha1.ApplicationSetWatchEvent
GET /api/v1/notifications/triggers Notification.ListTriggers notification.TriggersListRequest -> notification.TriggerList
GET /api/v1/notifications/services Notification.ListServices notification.ServicesListRequest -> notification.ServiceList
GET /api/v1/notifications/templates Notification.ListTemplates notification.TemplatesListRequest -> notification.TemplateList
`;
