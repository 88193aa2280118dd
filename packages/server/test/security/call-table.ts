/**
 * Who may make which call: the calls of `route-table.ts` with the roles that are allowed, and a request. Every transport is tested with the same table, and a
 * new route without a row fails the test.
 *
 * Roles: `stranger` is signed in and has no rights; `reader` has `role:readonly`; `developer` has all rights on the Applications of project `team`; `token` is a
 * token of a role of that project that may get and sync; `admin` may do everything. `public` calls need no session; `all` is every role with a session.
 */
export const roles = ['stranger', 'reader', 'developer', 'token', 'admin'] as const;
export type RoleName = (typeof roles)[number];

export interface CallRow {
  readonly call: string;
  readonly allowed: 'public' | readonly RoleName[];
  /** Fields of the request, by path: `application.metadata.name`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const app = 'name=app&project=team';
const target = `${app}&namespace=default&resourceName=web&version=v1&group=apps&kind=Deployment`;
const newApp =
  'application.metadata.name=new&application.spec.project=team&application.spec.source.repoURL=https://git.example.com/a&application.spec.source.path=.&application.spec.destination.server=https://kubernetes.default.svc&application.spec.destination.namespace=shop';

const table = `
Version.Version | public |
Session.GetUserInfo | public |
Session.Create | public | username=nobody&password=wrong
Session.Delete | public |
Account.CanI | all | resource=applications&action=get&subresource=team/app
Account.UpdatePassword | admin | name=other&newPassword=a-new-password&currentPassword=admin-password
Account.ListAccounts | all |
Account.GetAccount | reader admin | name=other
Account.CreateToken | admin | name=other
Account.DeleteToken | admin | name=other&id=none
Settings.Get | public |
Settings.GetPlugins | all |
Project.CreateToken | admin | project=team&role=ci
Project.DeleteToken | admin | project=team&role=ci&iat=1
Project.Create | admin | project.metadata.name=created
Project.List | all |
Project.GetDetailedProject | reader token admin | name=team
Project.Get | reader token admin | name=team
Project.GetGlobalProjects | reader token admin | name=team
Project.Update | admin | project.metadata.name=team
Project.Delete | admin | name=other
Project.ListEvents | reader token admin | name=team
Project.GetSyncWindowsState | reader token admin | name=team
Project.ListLinks | reader token admin | name=team
Repository.Get | reader admin | repo=https://git.example.com/planted
Repository.GetWrite | reader admin | repo=planted
Repository.ListRepositories | all |
Repository.ListWriteRepositories | all |
Repository.ListRefs | reader admin | repo=https://git.example.com/planted
Repository.ListOCITags | reader admin | repo=https://git.example.com/planted
Repository.ListApps | admin | repo=https://git.example.com/planted
Repository.GetAppDetails | reader admin | source.repoURL=https://git.example.com/a&source.path=.&appName=app&appProject=team
Repository.GetHelmCharts | reader admin | repo=https://git.example.com/planted
Repository.CreateRepository | admin | repo.repo=https://git.example.com/new
Repository.CreateWriteRepository | admin | repo.repo=new
Repository.UpdateRepository | admin | repo.repo=https://git.example.com/planted
Repository.UpdateWriteRepository | admin | repo.repo=planted
Repository.DeleteRepository | admin | repo=https://git.example.com/planted
Repository.DeleteWriteRepository | admin | repo=planted
Repository.ValidateAccess | admin | repo=https://git.example.com/planted
Repository.ValidateWriteAccess | admin | repo=planted
RepoCreds.ListRepositoryCredentials | all |
RepoCreds.ListWriteRepositoryCredentials | all |
RepoCreds.CreateRepositoryCredentials | admin | creds.url=https://git.example.com/new
RepoCreds.CreateWriteRepositoryCredentials | admin | creds.url=new
RepoCreds.UpdateRepositoryCredentials | admin | creds.url=https://git.example.com/new
RepoCreds.UpdateWriteRepositoryCredentials | admin | creds.url=new
RepoCreds.DeleteRepositoryCredentials | admin | url=https://git.example.com/new
RepoCreds.DeleteWriteRepositoryCredentials | admin | url=new
Cluster.List | all |
Cluster.Create | admin | cluster.server=https://cluster.example.com
Cluster.Get | reader admin | id.value=https://planted.example.com
Cluster.Update | admin | id.value=https://planted.example.com&cluster.server=https://planted.example.com
Cluster.Delete | admin | id.value=https://planted.example.com
Cluster.RotateAuth | admin | id.value=https://planted.example.com
Cluster.InvalidateCache | admin | id.value=https://planted.example.com
Certificate.ListCertificates | reader admin |
Certificate.CreateCertificate | admin |
Certificate.DeleteCertificate | admin | hostNamePattern=none.example.com
GPGKey.List | reader admin |
GPGKey.Get | reader admin | keyID=0123456789ABCDEF
GPGKey.Create | admin | publickey.keyData=none
GPGKey.Delete | admin | keyID=0123456789ABCDEF
Application.List | all |
Application.ListResourceEvents | reader developer token admin | ${app}
Application.Watch | all |
Application.Create | developer admin | ${newApp}
Application.Get | reader developer token admin | ${app}
Application.GetApplicationSyncWindows | reader developer token admin | ${app}
Application.RevisionMetadata | reader developer token admin | ${app}&revision=HEAD
Application.RevisionChartDetails | reader developer token admin | ${app}&revision=HEAD
Application.GetOCIMetadata | reader developer token admin | ${app}&revision=HEAD
Application.GetManifests | reader developer token admin | ${app}
Application.GetManifestsWithFiles | all |
Application.Update | developer admin | application.metadata.name=app&application.spec.project=team&application.spec.source.repoURL=https://git.example.com/a&application.spec.source.path=.&application.spec.destination.server=https://kubernetes.default.svc
Application.UpdateSpec | developer admin | ${app}&spec.project=team&spec.source.repoURL=https://git.example.com/a&spec.source.path=.&spec.destination.server=https://kubernetes.default.svc
Application.Patch | developer admin | ${app}&patch={}&patchType=merge
Application.Delete | developer admin | ${app}&cascade=false
Application.Sync | developer token admin | ${app}
Application.ManagedResources | reader developer token admin | applicationName=app&project=team
Application.ServerSideDiff | reader developer token admin | appName=app&project=team
Application.ResourceTree | reader developer token admin | applicationName=app&project=team
Application.WatchResourceTree | reader developer token admin | applicationName=app&project=team
Application.Rollback | developer token admin | ${app}&id=1
Application.TerminateOperation | developer token admin | ${app}
Application.GetResource | reader developer token admin | ${target}
Application.PatchResource | developer admin | ${target}&patch={}&patchType=application/merge-patch+json
Application.ListResourceActions | reader developer token admin | ${target}
Application.RunResourceAction | developer admin | ${target}&action=restart
Application.RunResourceActionV2 | developer admin | ${target}&action=restart
Application.DeleteResource | developer admin | ${target}
Application.PodLogs | reader developer admin | ${app}&podName=web-0&namespace=default
Application.ListLinks | reader developer token admin | name=app&project=team
Application.ListResourceLinks | reader developer token admin | ${target}
ApplicationSet.Get | reader admin | name=set
ApplicationSet.Generate | admin | applicationSet.metadata.name=new&applicationSet.spec.template.spec.project=team
ApplicationSet.List | all |
ApplicationSet.Create | admin | applicationset.metadata.name=new&applicationset.spec.template.spec.project=team
ApplicationSet.Delete | admin | name=set
ApplicationSet.ResourceTree | reader admin | name=set
ApplicationSet.ListResourceEvents | reader admin | name=set
ApplicationSet.Watch | all |
Notification.ListTriggers | all |
Notification.ListServices | all |
Notification.ListTemplates | all |
`;

export const callTable: ReadonlyMap<string, CallRow> = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [call = '', who = '', query = ''] = line.split('|').map((part) => part.trim());
      const named = roles.filter((role) => who.split(' ').includes(role));
      const allowed = who === 'public' ? 'public' : who === 'all' ? roles : named;
      const fields = Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B')));
      return [call, { call, allowed, fields }];
    }),
);
