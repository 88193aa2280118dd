import { at, type Json, type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from '../../health.ts';

const faults = ['CatalogSourcesUnhealthy', 'InstallPlanFailed', 'ResolutionFailed'];

/** An upgrade that waits for a manual approval, as configured, is not unfinished work. */
function waitsForApproval(object: KubeObject, conditions: readonly Json[]): boolean {
  return (
    textAt(object, 'spec', 'installPlanApproval') === 'Manual' &&
    at(object, 'status', 'installedCSV') !== undefined &&
    conditions.some(
      (condition) =>
        textAt(condition, 'type') === 'InstallPlanPending' &&
        textAt(condition, 'status') === 'True' &&
        textAt(condition, 'reason') === 'RequiresApproval',
    )
  );
}

/** All conditions and the state, one per line; the worst one counts. */
export function subscription(object: KubeObject): Health | undefined {
  if (!Array.isArray(at(object, 'status', 'conditions'))) return undefined;
  const conditions = listAt(object, 'status', 'conditions');
  const approval = waitsForApproval(object, conditions);
  const lines: string[] = [];
  let [pending, failed] = [0, 0];
  for (const [i, condition] of conditions.entries()) {
    const [type, status] = [textAt(condition, 'type'), textAt(condition, 'status')];
    if (approval && type === 'InstallPlanPending') continue;
    lines.push(`${i + 1}: ${type} | ${status}`);
    if (type === 'InstallPlanPending' && status === 'True') pending += 1;
    else if (type === 'InstallPlanMissing' && textAt(condition, 'reason') !== 'ReferencedInstallPlanNotFound')
      failed += 1;
    else if (faults.includes(type) && status === 'True') failed += 1;
  }
  const state = at(object, 'status', 'state');
  const approved = state === 'UpgradePending' && approval;
  if (state === undefined || state === '' || state === 'UpgradeAvailable' || (state === 'UpgradePending' && !approval))
    pending += 1;
  if (state === 'UpgradeFailed') failed += 1;
  lines.push(
    state === undefined
      ? '.status.state not yet known'
      : `.status.state is '${state}'${approved ? ' (manual InstallPlan approval pending; treated as healthy)' : ''}`,
  );
  const message = lines.map((line) => `${line}\n`).join('');
  return health(failed > 0 ? 'Degraded' : pending > 0 ? 'Progressing' : 'Healthy', message);
}
