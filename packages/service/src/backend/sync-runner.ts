import { isDeepStrictEqual } from 'node:util';
import { type GitOpsDeploymentSyncRun, gitopsDeploymentSyncRunKind } from '@fairlead/api';
import { formatTime, isNotFound, type KubeObject } from '@fairlead/apimachinery';
import { conditionType, type DesiredCondition, nextConditions } from '../conditions.ts';
import {
  changing,
  deploymentsNamed,
  isUnderWay,
  type SyncRow,
  startSync,
  stopSync,
  syncRowsOf,
} from '../store/index.ts';
import type { UserErrorReason } from '../user-error.ts';
import type { Context } from './context.ts';
import { tenantOf } from './deployment-runner.ts';

/**
 * The sync runs of one deployment: started one at a time, in the order of creation, each once. One whose deployment does not exist waits;
 * its key is enqueued when the deployment is created, and at every start, so the wait outlives the process.
 */
export async function runSyncRuns(
  context: Context,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, instance, clock, syncRuns } = context;
  const runs = syncRuns.byIndex('deployment', `${namespace}/${name}`).sort(context.runOrder.byAge);
  const uids = runs.map(({ metadata }) => metadata.uid ?? '');
  const rows = await syncRowsOf(db, { namespace, deployment: name, uids });
  if (runs.length === 0 && rows.length === 0) return;
  const now = new Date(clock.now());
  for (const row of rows) {
    const owner = syncRuns.byIndex('uid', row.syncoperation_id)[0];
    if ((owner && !owner.metadata.deletionTimestamp) || row.desired_state === 'Terminated') continue;
    await changing(db, (tx) => stopSync(tx, row, instance, now));
  }
  const deployment = context.deployments.get(`${namespace}/${name}`);
  const isHere = deployment !== undefined && !deployment.metadata.deletionTimestamp;
  const known = isHere ? await deploymentsNamed(db, namespace, name) : [];
  const application = known.find(({ uid }) => uid === deployment?.metadata.uid);
  let turn = !rows.some((row) => isUnderWay(row.phase) && row.application_id !== null);
  for (const run of runs) {
    if (run.metadata.deletionTimestamp) continue;
    const row = rows.find(({ syncoperation_id }) => syncoperation_id === run.metadata.uid);
    const step = decide(run, row, {
      hasTurn: turn,
      deployment: !isHere
        ? 'absent'
        : !application
          ? 'not ready'
          : deployment.spec.type === 'manual'
            ? 'manual'
            : 'automated',
    });
    if (step.start && application) {
      turn = false;
      await changing(db, (tx) =>
        startSync(tx, {
          id: run.metadata.uid ?? '',
          name: run.metadata.name,
          tenant: tenantOf(context, namespace),
          application: application.uid,
          deployment: name,
          revision: run.spec.revisionID ?? '',
          instance,
          now,
        }),
      );
    }
    await writeRunStatus(context, run, step.conditions, signal);
  }
}

interface Step {
  readonly start?: true;
  readonly conditions: readonly DesiredCondition[];
}

/** The action for a sync run, and its conditions. */
export function decide(
  run: GitOpsDeploymentSyncRun,
  row: Pick<SyncRow, 'phase' | 'message' | 'revision' | 'deployment_name' | 'application_id'> | undefined,
  env: { readonly hasTurn: boolean; readonly deployment: 'absent' | 'not ready' | 'automated' | 'manual' },
): Step {
  const { gitopsDeploymentName: deployment, revisionID = '' } = run.spec;
  if (row && (row.deployment_name !== deployment || row.revision !== revisionID)) {
    return refused('ImmutableField', 'spec cannot be changed: delete this GitOpsDeploymentSyncRun and create another');
  }
  if (row && !(row.phase === 'Waiting' && row.application_id === null)) return { conditions: [progress(row)] };
  if (env.deployment === 'absent')
    return waiting('Orphaned', `there is no GitOpsDeployment ${deployment} in this namespace: waiting for it`);
  if (env.deployment === 'automated')
    return refused(
      'DeploymentNotManual',
      `the GitOpsDeployment ${deployment} is automated: only a manual one is synced by request`,
    );
  if (env.deployment === 'not ready')
    return waiting('DeploymentNotReady', `the GitOpsDeployment ${deployment} is not accepted yet: see its conditions`);
  if (!env.hasTurn) return waiting('Waiting', `another sync of ${deployment} is running`);
  return { start: true, conditions: [progress({ phase: 'Waiting', message: '' })] };
}

const refused = (reason: UserErrorReason, message: string): Step => ({
  conditions: [{ type: conditionType.errorOccurred, status: 'True', reason, message }],
});

const waiting = (reason: string, message: string): Step => ({
  conditions: [{ type: conditionType.succeeded, status: 'Unknown', reason, message }],
});

function progress({ phase, message }: Pick<SyncRow, 'phase' | 'message'>): DesiredCondition {
  const status = phase === 'Succeeded' ? 'True' : isUnderWay(phase) ? 'Unknown' : 'False';
  return { type: conditionType.succeeded, status, reason: phase, message };
}

async function writeRunStatus(
  { client, clock }: Context,
  run: GitOpsDeploymentSyncRun,
  desired: readonly DesiredCondition[],
  signal: AbortSignal,
): Promise<void> {
  const before = run.status?.conditions ?? [];
  const conditions = nextConditions(before, desired, formatTime(clock.now()));
  if (isDeepStrictEqual(before, conditions)) return;
  const { namespace = '', name, uid = '' } = run.metadata;
  const body = { metadata: { uid }, status: { conditions } };
  try {
    await client.patch<KubeObject>(gitopsDeploymentSyncRunKind.type, { namespace, name }, 'merge', body, {
      subresource: 'status',
      signal,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
