import type { AppProject } from '@fairlead/api';

/** Project rules that are not supported yet and must not be ignored: nothing may be deployed that violates them. */
export function refusals({ metadata, spec }: AppProject): string[] {
  const project = `project '${metadata.name}'`;
  const found: string[] = [];
  for (const [i, { gpg }] of (spec.sourceIntegrity?.git?.policies ?? []).entries()) {
    if (gpg.mode === 'none' || gpg.mode === 'head') continue;
    found.push(
      gpg.mode === 'strict'
        ? `${project} requires signatures of the whole history, and only the newest commit or tag can be verified: nothing is deployed until spec.sourceIntegrity.git.policies[${i}].gpg.mode is head`
        : `${project}: spec.sourceIntegrity.git.policies[${i}].gpg.mode '${gpg.mode}' must be none, head or strict: nothing is deployed until it is fixed`,
    );
  }
  return found;
}
