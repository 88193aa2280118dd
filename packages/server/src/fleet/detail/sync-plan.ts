import type { Operation } from '@fairlead/api';
import {
  actorOf,
  type Comparison,
  observeDesired,
  planTasks,
  sourcesOf,
  TargetStateError,
} from '@fairlead/app-controller';
import { describeId, type SyncTask, stepsOf } from '@fairlead/engine';
import { applicationAccess } from '../../calls/application/requests.ts';
import { type LiveApplication, withLive } from '../../live/application-state.ts';
import type { CallContext } from '../../rpc/call.ts';
import { invalidArgument, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import type { LoadedSources } from '../../sources/application-sources.ts';
import type { PlannedTask, SyncPlan } from '../api/detail-shapes.ts';
import type { FleetRequest } from '../http/fleet-handler.ts';
import { dryRunOf } from './dry-run.ts';
import { windowsOf } from './explain.ts';
import { findApplication } from './find-application.ts';

type Asked = NonNullable<Operation['sync']>;

/** What a sync would do, in order. Changes nothing. */
export async function readSyncPlan(server: Server, context: CallContext, request: FleetRequest): Promise<SyncPlan> {
  const { query } = request;
  const resources = query.all('resource').map(resourceOf);
  const application = await findApplication(server, context, request);
  const access = applicationAccess(server);
  // A dry run sends the objects to the cluster, as a sync does.
  if (query.isOn('dryRun')) access.require(context.caller, 'sync', application);
  const project = access.projectOf(application);
  const asked: Asked = {
    prune: query.isOn('prune'),
    ...(resources.length > 0 ? { resources } : {}),
    syncOptions: [...(application.spec.syncPolicy?.syncOptions ?? [])],
  };
  const { signal } = context;
  return withLive(server, { application, project }, { signal, purpose: 'managed' }, async (live) => {
    if (!live) {
      const invalid = application.status?.conditions?.find(({ type }) => type === 'InvalidSpecError');
      throw new RpcError('FailedPrecondition', invalid?.message ?? 'the Application cannot be synced');
    }
    const desired = await load(server, live, query.one('revision'));
    const { cluster } = live.lease;
    const { clock, namespace } = server.state;
    const env = { clock, settings: { namespace } };
    const { comparison } = await observeDesired(
      env,
      live.reconciled,
      { cluster, project: live.project },
      sourcesOf(application.spec),
      desired,
      { signal },
    );
    const run = { revision: desired.revisions[0] ?? '', startedAt: clock.now(), attempt: '' };
    const tasks = await planTasks(cluster.live, { application: live.reconciled, comparison, asked, run }, signal);
    const dryRun = query.isOn('dryRun') ? await dryRunOf(live, tasks, signal) : undefined;
    return {
      revision: desired.revisions.join(', '),
      waves: stepsOf(tasks).map(({ phase, wave, tasks: some }) => ({
        phase,
        wave,
        tasks: some.map((task) => {
          const checked = dryRun?.(task);
          return { ...plannedTask(task, asked), ...(checked ? { dryRun: checked } : {}) };
        }),
      })),
      warnings: [...new Set(warningsOf(server, live, asked, comparison, tasks))],
    };
  });
}

/** `GROUP:KIND:NAMESPACE/NAME` or `GROUP:KIND:NAME`. */
function resourceOf(text: string): NonNullable<Asked['resources']>[number] {
  const [group, kind, object, ...more] = text.split(':');
  const [first = '', second, ...rest] = (object ?? '').split('/');
  if (group === undefined || !kind || first === '' || second === '' || more.length > 0 || rest.length > 0) {
    throw invalidArgument(
      `parameter resource must be GROUP:KIND:NAMESPACE/NAME or GROUP:KIND:NAME, not ${text.slice(0, 100)}`,
    );
  }
  return second === undefined ? { group, kind, name: first } : { group, kind, namespace: first, name: second };
}

async function load(
  { options: { sources } }: Server,
  { application, project, lease }: LiveApplication,
  revision: string | undefined,
): Promise<LoadedSources> {
  if (!sources) throw new RpcError('Unavailable', 'this server does not read sources');
  const asked = sourcesOf(application.spec).map(({ targetRevision = '' }) => targetRevision);
  if (revision !== undefined) asked[0] = revision;
  try {
    return await sources.load(application, project, asked, { capabilities: lease.cluster.capabilities });
  } catch (error) {
    if (!(error instanceof TargetStateError)) throw error;
    throw new RpcError('FailedPrecondition', error.message.replace(/^.*?rpc error: code = \w+ desc = /su, ''));
  }
}

function plannedTask({ id, action, hook, phase, live, inSync }: SyncTask, { prune }: Asked): PlannedTask {
  if (hook) return { ...id, action: 'hook', hook: phase };
  if (action === 'prune') return { ...id, action: prune ? 'prune' : 'unchanged' };
  return { ...id, action: live ? (inSync ? 'unchanged' : 'update') : 'create' };
}

/** Why the sync may not run, or not do all of it. */
function warningsOf(
  server: Server,
  { application, project, lease }: LiveApplication,
  asked: Asked,
  comparison: Comparison,
  tasks: readonly SyncTask[],
): string[] {
  const { manual } = windowsOf(server, project, application);
  const { impersonation } = lease.installation;
  const { problem: impersonated } = actorOf(impersonation, project, lease.cluster, application);
  const prunes = tasks.filter(({ action }) => action === 'prune');
  const { metadata, operation } = application;
  return [
    ...(metadata.deletionTimestamp ? ['The Application is being deleted.'] : []),
    ...(operation ? ['Another sync is pending or running: a new one is refused until it has ended.'] : []),
    ...(manual === undefined ? [] : [`A sync window blocks it: ${manual}.`]),
    ...(impersonated === undefined ? [] : [impersonated]),
    ...comparison.resources.flatMap(({ id, refusal }) => (refusal ? [`${describeId(id)}: ${refusal.message}`] : [])),
    ...comparison.conditions
      .filter(({ type }) => type.endsWith('Error') || type.endsWith('Warning'))
      .map(({ message }) => message),
    ...(prunes.length > 0 && !asked.prune
      ? [`${count(prunes.length, 'object')} not in the source ${prunes.length === 1 ? 'stays' : 'stay'}: prune is off.`]
      : []),
    ...((asked.resources ?? []).length > 0 && comparison.hooks.length > 0
      ? [`${count(comparison.hooks.length, 'hook')} will not run: a sync of chosen resources has no hooks.`]
      : []),
    ...missingOf(asked, tasks),
  ];
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** Resources that the caller has chosen and that are neither in the source nor live. */
const missingOf = ({ resources = [] }: Asked, tasks: readonly SyncTask[]): string[] =>
  resources
    .filter(({ kind, name }) => !tasks.some(({ id }) => id.kind === kind && id.name === name))
    .map(({ kind, name }) => `${kind} ${name} is not part of the Application.`);
