import type { AppProject } from '@fairlead/api';

/** What a project asks for that is not kept yet, and must not be ignored: nothing may be deployed past it. */
export function refusals({ metadata, spec }: AppProject): string[] {
  const project = `project '${metadata.name}'`;
  const found: string[] = [];
  if (spec.signatureKeys?.length || spec.sourceIntegrity) {
    const field = spec.sourceIntegrity ? 'spec.sourceIntegrity' : 'spec.signatureKeys';
    found.push(
      `${project} asks for signed commits, and signatures cannot be checked yet: nothing is deployed until ${field} is taken out`,
    );
  }
  if (spec.destinationServiceAccounts?.length) {
    found.push(
      `${project} asks for syncs as another service account, and that is not done yet: nothing is deployed until spec.destinationServiceAccounts is taken out`,
    );
  }
  return found;
}
