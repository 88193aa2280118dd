import type { Environment } from '../environment.ts';
import type { CommandSpec, Handler } from './command.ts';
import * as account from './specs/account.ts';
import * as agent from './specs/agent.ts';
import * as app from './specs/app.ts';
import * as applicationset from './specs/applicationset.ts';
import * as backup from './specs/backup.ts';
import * as certificate from './specs/certificate.ts';
import * as cluster from './specs/cluster.ts';
import { controller } from './specs/controller.ts';
import * as getting from './specs/get.ts';
import * as image from './specs/image.ts';
import * as installation from './specs/install.ts';
import * as instance from './specs/instance.ts';
import * as notifications from './specs/notifications.ts';
import * as prepull from './specs/prepull.ts';
import * as project from './specs/project.ts';
import * as rbac from './specs/rbac.ts';
import * as repository from './specs/repository.ts';
import { server } from './specs/server.ts';
import * as service from './specs/service.ts';
import * as session from './specs/session.ts';
import * as settings from './specs/settings.ts';
import * as source from './specs/source.ts';

/** A command that parses its flags itself. */
export type Command = (args: readonly string[], environment: Environment) => Promise<number>;

/** A command and its code, which is loaded when it is called: `version` must not load what `up` needs. */
export type Entry =
  | { readonly spec: CommandSpec; readonly load: () => Promise<{ run: Handler<CommandSpec> }>; readonly reads: 'table' }
  | { readonly spec: CommandSpec; readonly load: () => Promise<{ run: Command }>; readonly reads: 'itself' };

const command = <S extends CommandSpec>(spec: S, load: () => Promise<{ run: Handler<S> }>): Entry => ({
  spec,
  load: load as () => Promise<{ run: Handler<CommandSpec> }>,
  reads: 'table',
});
const raw = (spec: CommandSpec, load: () => Promise<{ run: Command }>): Entry => ({ spec, load, reads: 'itself' });

/** Every command, in the order of the help overview. */
export const entries: readonly Entry[] = [
  raw(instance.up, () => import('../commands/up.ts')),
  raw(instance.down, () => import('../commands/down.ts')),
  command(installation.install, () => import('../commands/install.ts')),
  command(installation.upgrade, () => import('../commands/upgrade.ts')),
  command(installation.uninstall, () => import('../commands/uninstall.ts')),
  command(backup.exportCommand, () => import('../commands/export.ts')),
  command(backup.importCommand, () => import('../commands/import.ts')),
  command(backup.importArgocd, () => import('../commands/import-argocd.ts')),
  command(installation.check, () => import('../commands/check.ts')),
  command(controller, () => import('../commands/controller.ts')),
  command(applicationset.applicationset, () => import('../commands/applicationset.ts')),
  command(server, () => import('../commands/server.ts')),
  command(notifications.notifications, () => import('../commands/notifications.ts')),
  command(session.login, () => import('../commands/session/login.ts')),
  command(session.logout, () => import('../commands/session/logout.ts')),
  command(session.context, () => import('../commands/session/context.ts')),
  command(getting.get, () => import('../commands/get.ts')),
  command(getting.appList, () => import('../commands/app/list.ts')),
  command(app.appGet, () => import('../commands/app/get.ts')),
  command(app.appCreate, () => import('../commands/app/create.ts')),
  command(app.appSet, () => import('../commands/app/set.ts')),
  command(app.appEdit, () => import('../commands/app/edit.ts')),
  command(app.appSync, () => import('../commands/app/sync.ts')),
  command(app.appWait, () => import('../commands/app/wait.ts')),
  command(app.appRefresh, () => import('../commands/app/refresh.ts')),
  command(app.appTerminate, () => import('../commands/app/terminate.ts')),
  command(app.appDiff, () => import('../commands/app/diff.ts')),
  command(app.appExplain, () => import('../commands/app/explain.ts')),
  command(app.appTree, () => import('../commands/app/tree.ts')),
  command(app.appManifests, () => import('../commands/app/manifests.ts')),
  command(app.appHistory, () => import('../commands/app/history.ts')),
  command(app.appRollback, () => import('../commands/app/rollback.ts')),
  command(app.appEvents, () => import('../commands/app/events.ts')),
  command(app.appLogs, () => import('../commands/app/logs.ts')),
  command(app.appDelete, () => import('../commands/app/delete.ts')),
  command(applicationset.appsetList, () => import('../commands/appset/list.ts')),
  command(applicationset.appsetGet, () => import('../commands/appset/get.ts')),
  command(applicationset.appsetCreate, () => import('../commands/appset/create.ts')),
  command(applicationset.appsetPreview, () => import('../commands/appset/preview.ts')),
  command(applicationset.appsetDelete, () => import('../commands/appset/delete.ts')),
  command(account.accountList, async () => ({ run: (await import('../commands/account/read.ts')).list })),
  command(account.accountGet, async () => ({ run: (await import('../commands/account/read.ts')).get })),
  command(account.accountCanI, async () => ({ run: (await import('../commands/account/session.ts')).canI })),
  command(account.accountInfo, async () => ({ run: (await import('../commands/account/session.ts')).userInfo })),
  command(account.accountUpdatePassword, async () => ({
    run: (await import('../commands/account/change.ts')).updatePassword,
  })),
  command(account.accountGenerateToken, async () => ({
    run: (await import('../commands/account/change.ts')).generateToken,
  })),
  command(account.accountDeleteToken, async () => ({
    run: (await import('../commands/account/change.ts')).deleteToken,
  })),
  command(project.projectList, () => import('../commands/project/list.ts')),
  command(project.projectGet, () => import('../commands/project/get.ts')),
  command(project.projectCreate, () => import('../commands/project/create.ts')),
  command(project.projectSet, async () => ({ run: (await import('../commands/project/change.ts')).set })),
  command(project.projectDelete, () => import('../commands/project/delete.ts')),
  command(project.projectAddSource, async () => ({ run: (await import('../commands/project/change.ts')).addSource })),
  command(project.projectRemoveSource, async () => ({
    run: (await import('../commands/project/change.ts')).removeSource,
  })),
  command(project.projectAddDestination, async () => ({
    run: (await import('../commands/project/change.ts')).addDestination,
  })),
  command(project.projectRemoveDestination, async () => ({
    run: (await import('../commands/project/change.ts')).removeDestination,
  })),
  command(project.projectAllowClusterResource, async () => ({
    run: (await import('../commands/project/change.ts')).allowClusterResource,
  })),
  command(project.projectDenyClusterResource, async () => ({
    run: (await import('../commands/project/change.ts')).denyClusterResource,
  })),
  command(project.projectAllowNamespaceResource, async () => ({
    run: (await import('../commands/project/change.ts')).allowNamespaceResource,
  })),
  command(project.projectDenyNamespaceResource, async () => ({
    run: (await import('../commands/project/change.ts')).denyNamespaceResource,
  })),
  command(project.roleList, async () => ({ run: (await import('../commands/project/role.ts')).list })),
  command(project.roleGet, async () => ({ run: (await import('../commands/project/role.ts')).get })),
  command(project.roleCreate, async () => ({ run: (await import('../commands/project/change.ts')).createRole })),
  command(project.roleDelete, async () => ({ run: (await import('../commands/project/change.ts')).deleteRole })),
  command(project.roleAddPolicy, async () => ({ run: (await import('../commands/project/change.ts')).addPolicy })),
  command(project.roleRemovePolicy, async () => ({
    run: (await import('../commands/project/change.ts')).removePolicy,
  })),
  command(project.roleAddGroup, async () => ({ run: (await import('../commands/project/change.ts')).addGroup })),
  command(project.roleRemoveGroup, async () => ({ run: (await import('../commands/project/change.ts')).removeGroup })),
  command(project.roleCreateToken, async () => ({ run: (await import('../commands/project/role.ts')).createToken })),
  command(project.roleListTokens, async () => ({ run: (await import('../commands/project/role.ts')).listTokens })),
  command(project.roleDeleteToken, async () => ({ run: (await import('../commands/project/role.ts')).deleteToken })),
  command(repository.repoList, async () => ({ run: (await import('../commands/repository/repo.ts')).list })),
  command(repository.repoGet, async () => ({ run: (await import('../commands/repository/repo.ts')).get })),
  command(repository.repoAdd, async () => ({ run: (await import('../commands/repository/repo.ts')).add })),
  command(repository.repoRemove, async () => ({ run: (await import('../commands/repository/repo.ts')).remove })),
  command(repository.repocredsList, async () => ({ run: (await import('../commands/repository/repocreds.ts')).list })),
  command(repository.repocredsAdd, async () => ({ run: (await import('../commands/repository/repocreds.ts')).add })),
  command(repository.repocredsRemove, async () => ({
    run: (await import('../commands/repository/repocreds.ts')).remove,
  })),
  command(cluster.clusterList, async () => ({ run: (await import('../commands/cluster/read.ts')).list })),
  command(cluster.clusterGet, async () => ({ run: (await import('../commands/cluster/read.ts')).get })),
  command(cluster.clusterAdd, () => import('../commands/cluster/add.ts')),
  command(cluster.clusterRemove, async () => ({ run: (await import('../commands/cluster/read.ts')).remove })),
  command(certificate.certList, async () => ({ run: (await import('../commands/certificate/cert.ts')).list })),
  command(certificate.certAddTls, async () => ({ run: (await import('../commands/certificate/cert.ts')).addTls })),
  command(certificate.certAddSsh, async () => ({ run: (await import('../commands/certificate/cert.ts')).addSsh })),
  command(certificate.certRemove, async () => ({ run: (await import('../commands/certificate/cert.ts')).remove })),
  command(certificate.gpgList, async () => ({ run: (await import('../commands/certificate/gpg.ts')).list })),
  command(certificate.gpgGet, async () => ({ run: (await import('../commands/certificate/gpg.ts')).get })),
  command(certificate.gpgAdd, async () => ({ run: (await import('../commands/certificate/gpg.ts')).add })),
  command(certificate.gpgRemove, async () => ({ run: (await import('../commands/certificate/gpg.ts')).remove })),
  command(getting.trace, () => import('../commands/trace.ts')),
  command(image.imageExplain, () => import('../commands/image/explain.ts')),
  command(image.imageTest, () => import('../commands/image/test.ts')),
  command(image.imageTemplate, () => import('../commands/image/template.ts')),
  command(image.imageRun, () => import('../commands/image/run.ts')),
  command(image.demoPush, () => import('../commands/demo/push.ts')),
  command(prepull.prepullList, () => import('../commands/prepull/list.ts')),
  command(prepull.prepullRun, () => import('../commands/prepull/run.ts')),
  command(prepull.prepullStatus, () => import('../commands/prepull/status.ts')),
  command(prepull.prepullGc, () => import('../commands/prepull/gc.ts')),
  command(prepull.prepullController, () => import('../commands/prepull/controller.ts')),
  command(agent.agentList, () => import('../commands/agent/list.ts')),
  command(agent.agentStatus, () => import('../commands/agent/status.ts')),
  command(agent.agentInvite, () => import('../commands/agent/invite.ts')),
  command(agent.agentInstall, () => import('../commands/agent/install.ts')),
  command(agent.agentJoin, () => import('../commands/agent/join.ts')),
  command(agent.agentRun, () => import('../commands/agent/run.ts')),
  command(agent.agentConfirm, () => import('../commands/agent/confirm.ts')),
  command(agent.agentDrain, () => import('../commands/agent/drain.ts')),
  command(agent.agentRotate, () => import('../commands/agent/rotate.ts')),
  command(agent.agentBlock, () => import('../commands/agent/block.ts')),
  command(agent.agentGet, () => import('../commands/agent/get.ts')),
  command(agent.principal, () => import('../commands/principal.ts')),
  command(service.service, () => import('../commands/service.ts')),
  command(service.tenantList, () => import('../commands/tenant/list.ts')),
  command(notifications.notificationsStatus, () => import('../commands/notifications/status.ts')),
  command(notifications.notificationsTrigger, () => import('../commands/notifications/trigger.ts')),
  command(notifications.notificationsTemplate, () => import('../commands/notifications/template.ts')),
  command(notifications.notificationsService, () => import('../commands/notifications/service.ts')),
  command(notifications.notificationsCatalog, () => import('../commands/notifications/catalog.ts')),
  command(rbac.rbacCan, () => import('../commands/rbac/can.ts')),
  command(rbac.rbacValidate, () => import('../commands/rbac/validate.ts')),
  command(settings.settingsValidate, () => import('../commands/settings/validate.ts')),
  command(service.doctor, () => import('../commands/doctor.ts')),
  raw(source.render, () => import('../commands/render.ts')),
  raw(source.diff, () => import('../commands/diff.ts')),
  command(instance.completion, () => import('../commands/completion.ts')),
  command(instance.version, () => import('../commands/version.ts')),
  command(instance.help, () => import('../commands/help.ts')),
];

/** The entry that the first words name, and the number of these words. */
export function findEntry(words: readonly string[]): { readonly entry: Entry; readonly length: number } | undefined {
  for (const length of [3, 2, 1]) {
    const name = words.slice(0, length).join(' ');
    const entry = entries.find(({ spec }) => spec.name === name || spec.aliases?.includes(name));
    if (entry && words.length >= length) return { entry, length };
  }
  return undefined;
}

/** The two first words of commands of three words: `project role`. */
export const subgroups: readonly string[] = [
  ...new Set(
    entries.flatMap(({ spec }) => {
      const words = spec.name.split(' ');
      return words.length > 2 ? [words.slice(0, 2).join(' ')] : [];
    }),
  ),
];

/** First words of commands of several words: `app`. */
export const groups: readonly string[] = [
  ...new Set(entries.flatMap(({ spec }) => (spec.name.includes(' ') ? spec.name.split(' ').slice(0, 1) : []))),
];
