import type { Deployment, ReplicaSet } from '../kinds.ts';
import { revisionOf, rollbackAnnotation, rolledBackAnnotations } from './annotations.ts';
import { type DeploymentEvent, type Draft, hashLabel, sameTemplate } from './draft.ts';
import type { DeploymentPlan } from './plan-deployment.ts';

/** Restores the template of an earlier revision, as the annotation of an old API requests. 0 is the previous one. */
export function planRollback(draft: Draft, asked: number): DeploymentPlan {
  draft.requireNewest();
  const { deployment } = draft;
  const { name } = deployment.metadata;
  const revision = asked === 0 ? revisionBefore(draft.sets) : asked;
  const give = (event: DeploymentEvent, next = deployment): DeploymentPlan => ({
    writes: draft.writes,
    events: [...draft.events, event],
    replace: withoutRequest(next),
  });
  const warn = (reason: string, message: string) => give({ type: 'Warning', reason, message });
  if (revision === 0) return warn('DeploymentRollbackRevisionNotFound', 'Unable to find last revision.');
  const set = draft.sets.find((each) => revisionOf(each) === revision);
  if (!set) return warn('DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.');
  if (sameTemplate(set.spec.template, deployment.spec.template)) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    return warn('DeploymentRollbackTemplateUnchanged', message);
  }
  const message = `Rolled back deployment "${name}" to revision ${revision}`;
  return give({ type: 'Normal', reason: 'DeploymentRollback', message }, rolledBack(deployment, set));
}

/** The second highest of them. */
function revisionBefore(sets: readonly ReplicaSet[]): number {
  const revisions = sets.map((set) => revisionOf(set) ?? 0).sort((a, b) => b - a);
  return revisions[1] ?? 0;
}

function rolledBack(deployment: Deployment, set: ReplicaSet): Deployment {
  const { [hashLabel]: _, ...labels } = set.spec.template.metadata?.labels ?? {};
  const template = { ...set.spec.template, metadata: { ...set.spec.template.metadata, labels } };
  const annotations = rolledBackAnnotations(deployment, set);
  return { ...deployment, metadata: { ...deployment.metadata, annotations }, spec: { ...deployment.spec, template } };
}

function withoutRequest(deployment: Deployment): Deployment {
  const { [rollbackAnnotation]: _, ...annotations } = deployment.metadata.annotations ?? {};
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}
