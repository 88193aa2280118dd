/**
 * Commands of `fairlead` and `argocd`, with the calls that decide whether they are permitted: a role may run a command if it may make all of them. The rights
 * are those of `call-table.ts`.
 *
 * In a command, `REPO` is the repository that is stored, `NEW` another one, and `FILE` a file: `known_hosts`, a GPG key or an ApplicationSet, by the command.
 */
import { callTable, type RoleName, roles } from './call-table.ts';

export interface CommandRow {
  readonly calls: readonly string[];
  /** Empty if that program has no such command. */
  readonly fairlead: readonly string[];
  readonly argocd: readonly string[];
  readonly allowed: 'public' | readonly RoleName[];
}

const create = 'app create new --project team --repo NEW --path . --dest-server https://kubernetes.default.svc';
const table = `
Version.Version | | version
Account.ListAccounts | account list | account list
Account.GetAccount | account get --account other | account get --account other
Account.CreateToken | account generate-token --account other | account generate-token --account other
Account.DeleteToken | account delete-token --account other none | account delete-token --account other none
Account.CanI | account can-i get applications team/app | account can-i get applications team/app
Project.List | project list | proj list
Project.GetDetailedProject | project get team | proj get team
Project.Create | project create created | proj create created
Project.Get Project.Update | project set team --description shop | proj set team --description shop
Project.Get Project.Update | project role create team other | proj role create team other
Project.CreateToken | project role create-token team ci | proj role create-token team ci
Project.Delete | project delete other --yes | proj delete other
Repository.ListRepositories | repo list | repo list
Repository.Get | repo get REPO | repo get REPO
Repository.ValidateAccess Repository.CreateRepository | repo add NEW | repo add NEW
Repository.DeleteRepository | repo rm REPO --yes | repo rm REPO
RepoCreds.ListRepositoryCredentials | repocreds list | repocreds list
RepoCreds.CreateRepositoryCredentials | repocreds add NEW --username u --password p | repocreds add NEW --username u --password p
RepoCreds.DeleteRepositoryCredentials | repocreds rm NEW --yes | repocreds rm NEW
Cluster.List | cluster list | cluster list
Cluster.Get | cluster get https://planted.example.com | cluster get https://planted.example.com
Cluster.Delete | cluster rm https://planted.example.com --yes | cluster rm https://planted.example.com --yes
Cluster.RotateAuth | | cluster rotate-auth https://planted.example.com
Certificate.ListCertificates | cert list | cert list
Certificate.CreateCertificate | cert add-ssh --from FILE | cert add-ssh --from FILE --batch
Certificate.DeleteCertificate | cert rm none.example.com --yes | cert rm none.example.com
GPGKey.List | gpg list | gpg list
GPGKey.Get | gpg get 0123456789ABCDEF | gpg get 0123456789ABCDEF
GPGKey.Create | gpg add --from FILE | gpg add --from FILE
GPGKey.Delete | gpg rm 0123456789ABCDEF --yes | gpg rm 0123456789ABCDEF
Application.List | app list | app list
Application.Get | app get app |
Application.Get Project.Get | | app get app -o json
Application.Create | ${create} --no-validate | ${create} --validate=false
Application.Get Application.Update | app set app --label team=shop |
Application.Get Application.UpdateSpec | | app set app --revision main --validate=false
Application.Patch | | app patch app --patch {} --type merge
Application.Get Application.ResourceTree | app tree app |
Application.Get Application.GetManifests | app manifests app | app manifests app
Application.Get Application.ListResourceEvents | app events app |
Application.PodLogs | | app logs app
Application.Get | app history app | app history app
Application.Get Application.Sync | app sync app --async | app sync app --async
Application.Get Application.TerminateOperation | app terminate app | app terminate-op app
Application.Get Application.Delete | app delete app --no-cascade --yes | app delete app --cascade=false --yes
ApplicationSet.List | appset list | appset list
ApplicationSet.Get | appset get set | appset get set
ApplicationSet.Create | appset create FILE | appset create FILE
ApplicationSet.Delete | appset delete set --yes | appset delete set --yes
`;

/** The roles that may make all these calls. */
function rolesFor(calls: readonly string[]): CommandRow['allowed'] {
  const rows = calls.map((call) => {
    const row = callTable.get(call);
    if (!row) throw new Error(`no call ${call}`);
    return row.allowed;
  });
  if (rows.every((allowed) => allowed === 'public')) return 'public';
  return roles.filter((role) => rows.every((allowed) => allowed === 'public' || allowed.includes(role)));
}

const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));

export const commandTable: readonly CommandRow[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [calls = '', fairlead = '', argocd = ''] = line.split('|').map((part) => part.trim());
    return { calls: words(calls), fairlead: words(fairlead), argocd: words(argocd), allowed: rolesFor(words(calls)) };
  });
