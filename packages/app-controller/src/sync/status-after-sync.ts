import type { Application, ApplicationStatus, OperationState } from '@fairlead/api';
import { equalJson } from '@fairlead/apimachinery';
import { unknownFieldWarnings } from '../compare/unknown-field-warnings.ts';
import { projectOf, type ReconcileEnv } from '../reconcile-env.ts';
import { guard } from '../refresh/guard.ts';
import { type Observation, observe } from '../refresh/observe.ts';
import { refreshedStatus } from '../refresh/refreshed-status.ts';
import { sourcesOf } from '../source/desired-state.ts';
import { resourceStatus } from '../status/resource-status.ts';
import { warningConditions } from '../status/warning-conditions.ts';

/**
 * The status of an Application that a sync has just made Synced, to be written with the end of the sync: one write for both. Undefined if other
 * changes are needed, or the sync had other sources than the comparison: then the refresh after the sync writes it.
 */
export async function statusAfterSync(
  env: ReconcileEnv,
  before: Application,
  finished: OperationState,
  signal: AbortSignal,
): Promise<Partial<ApplicationStatus> | undefined> {
  const { syncResult, operation } = finished;
  const compared = before.status?.sync;
  const sources = sourcesOf(before.spec);
  if (!syncResult || !compared || operation.sync?.dryRun || operation.sync?.manifests?.length) return undefined;
  const revisions = syncResult.revisions ?? [syncResult.revision];
  const isCompared =
    equalJson(revisions, compared.revisions ?? [compared.revision ?? '']) &&
    equalJson(syncResult.sources ?? (syncResult.source ? [syncResult.source] : []), sources);
  if (!isCompared) return undefined;
  const application = { ...before, status: { ...before.status, operationState: finished } };
  const guarded = guard(application, {
    project: projectOf(env),
    clusters: env.clusters,
    controlPlaneNamespace: env.settings.namespace,
    settingsProblem: env.settings.comparisonProblem,
  });
  if (!guarded.permitted) return undefined;
  const observed = await observe(env, application, guarded, sources, { revisions, fresh: false, signal }).catch(
    (error: unknown): Observation | undefined => {
      if (signal.aborted) throw error;
      // The refresh after the sync reports what cannot be compared.
      return undefined;
    },
  );
  if (observed?.comparison.sync !== 'Synced') return undefined;
  const { desired, comparison } = observed;
  if (comparison.resources.length > env.settings.inlineResources) return undefined;
  const options = application.spec.syncPolicy?.syncOptions ?? [];
  const conditions = [
    ...comparison.conditions,
    ...warningConditions(env, application, guarded, { desired, comparison }),
    ...(await unknownFieldWarnings(guarded.cluster.evaluator, comparison)),
  ];
  return refreshedStatus(application, {
    desired,
    comparison,
    conditions,
    resources: comparison.resources.map((resource) => resourceStatus(resource, options)),
    level: 2,
    now: env.clock.now(),
    controllerNamespace: env.settings.namespace,
    live: guarded.cluster.live,
  });
}
