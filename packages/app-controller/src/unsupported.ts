import type { Application, AppProject } from '@fairlead/api';
import type { Condition } from './conditions.ts';

/** What a project or an Application asks for that is not kept yet, and must not be ignored: nothing may be deployed past it. */
export function refusals({ metadata, spec }: AppProject): string[] {
  const found: string[] = [];
  if (spec.signatureKeys?.length || spec.sourceIntegrity) {
    found.push(`project '${metadata.name}' asks for signed commits, and signatures cannot be checked yet`);
  }
  if (spec.permitOnlyProjectScopedClusters) {
    found.push(`project '${metadata.name}' permits only clusters of its own, and it has none`);
  }
  return found;
}

/** Why the controller does not sync by itself, though the policy asks for it; undefined when nothing holds it. */
export const heldBy = ({ metadata, spec }: AppProject): string | undefined =>
  spec.syncWindows?.length
    ? `project '${metadata.name}' has sync windows, which are not kept yet: sync by hand`
    : undefined;

/** What is asked for and merely not done yet: said, and otherwise left aside. */
export function warnings({ spec }: Application, project: AppProject): Condition[] {
  const found: string[] = [];
  const rules = spec.ignoreDifferences ?? [];
  if (rules.some((rule) => rule.jqPathExpressions?.length))
    found.push('ignoreDifferences by jqPathExpressions is not supported yet: use jsonPointers');
  if (rules.some((rule) => rule.managedFieldsManagers?.length)) {
    found.push('ignoreDifferences by managedFieldsManagers is not supported yet: use jsonPointers');
  }
  if (project.spec.orphanedResources && project.spec.orphanedResources.warn !== false) {
    found.push(`orphaned resources of project '${project.metadata.name}' are not looked for yet`);
  }
  return found.map((message) => ({ type: 'NotSupportedWarning', message }));
}
