import { messageOf, textAt } from '@fairlead/apimachinery';
import { actorOf, type Cluster, clusterAs } from '@fairlead/app-controller';
import { fieldManager, isDefinition, keyIn, type SyncTask, withoutSecrets } from '@fairlead/engine';
import type { LiveApplication } from '../../live/application-state.ts';
import type { PlannedTask } from '../api/detail-shapes.ts';

type DryRun = NonNullable<PlannedTask['dryRun']>;

const atOnce = 8;

/** What the cluster says of each object that a sync would apply. Nothing is stored. */
export async function dryRunOf(
  live: LiveApplication,
  tasks: readonly SyncTask[],
  signal: AbortSignal,
): Promise<(task: SyncTask) => DryRun | undefined> {
  const { lease, project, application } = live;
  const { problem, user } = actorOf(lease.installation.impersonation, project, lease.cluster, application);
  if (problem !== undefined) return ({ target }) => (target ? { ok: false, message: problem } : { ok: true });
  const cluster = clusterAs(lease.cluster, user);
  const results = new Map<SyncTask, DryRun>();
  const due = tasks.filter(({ target }) => target !== undefined);
  const made = new Set(due.flatMap(madeBy));
  const worker = async (): Promise<void> => {
    for (let task = due.shift(); task; task = due.shift()) results.set(task, await tried(cluster, task, made, signal));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (task) => results.get(task);
}

/** Namespaces and kinds that the sync itself makes: objects that need them cannot be tried. */
function madeBy({ id, target, live }: SyncTask): string[] {
  if (live || !target) return [];
  if (id.kind === 'Namespace' && id.group === '') return [`namespace ${id.name}`];
  if (!isDefinition(target)) return [];
  return [`kind ${textAt(target, 'spec', 'group')}/${textAt(target, 'spec', 'names', 'kind')}`];
}

async function tried(
  cluster: Pick<Cluster, 'client' | 'kinds'>,
  { id, target, live }: SyncTask,
  made: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<DryRun> {
  if (!target) return { ok: true };
  if (made.has(`namespace ${id.namespace}`)) return { ok: true, message: 'Not tried: the sync creates its namespace.' };
  if (made.has(`kind ${id.group}/${id.kind}`)) return { ok: true, message: 'Not tried: the sync creates its kind.' };
  const type = cluster.kinds.find(target.apiVersion, target.kind);
  if (!type) return { ok: false, message: `The cluster has no kind ${target.kind} in ${target.apiVersion}.` };
  try {
    const options = { dryRun: true, force: true, fieldManager, signal };
    await cluster.client.patch(type, keyIn(type, id), 'apply', target, options);
    return { ok: true };
  } catch (error) {
    if (signal.aborted) throw error;
    const message = withoutSecrets(messageOf(error), target, live);
    return { ok: false, message };
  }
}
