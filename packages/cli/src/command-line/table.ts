import type { Environment } from '../environment.ts';
import type { CommandSpec, Handler } from './command.ts';
import * as agent from './specs/agent.ts';
import * as app from './specs/app.ts';
import * as applicationset from './specs/applicationset.ts';
import { controller } from './specs/controller.ts';
import * as getting from './specs/get.ts';
import * as image from './specs/image.ts';
import * as instance from './specs/instance.ts';
import * as notifications from './specs/notifications.ts';
import * as prepull from './specs/prepull.ts';
import * as rbac from './specs/rbac.ts';
import { server } from './specs/server.ts';
import * as service from './specs/service.ts';
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
  command(controller, () => import('../commands/controller.ts')),
  command(applicationset.applicationset, () => import('../commands/applicationset.ts')),
  command(server, () => import('../commands/server.ts')),
  command(notifications.notifications, () => import('../commands/notifications.ts')),
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
  raw(instance.version, () => import('../commands/version.ts')),
  command(instance.help, () => import('../commands/help.ts')),
];

/** The entry that the first words name, and the number of these words. */
export function findEntry(words: readonly string[]): { readonly entry: Entry; readonly length: number } | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const entry = entries.find(({ spec }) => spec.name === name || spec.aliases?.includes(name));
    if (entry && words.length >= length) return { entry, length };
  }
  return undefined;
}

/** First words of commands of two words: `app`. */
export const groups: readonly string[] = [
  ...new Set(entries.flatMap(({ spec }) => (spec.name.includes(' ') ? spec.name.split(' ').slice(0, 1) : []))),
];
