import { type Application, type AppProject, applicationKind, appProjectKind } from '@fairlead/api';
import { type ApiClient, listAll } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { didYouMean } from '../../did-you-mean.ts';
import { controlPlaneNamespace } from '../../install.ts';

/** The validation errors of an Application. */
export const problemsOf = (application: Application): string[] =>
  applicationKind.validate({ ...application, status: undefined }).map(({ field, message }) => `${field} ${message}`);

export function refuseProblems(application: Application): void {
  const problems = problemsOf(application);
  if (problems.length > 0) throw new CliError(`invalid Application: ${problems.join('; ')}`);
}

/** Reports an unknown project at once, not only after the controller has reconciled. */
export async function refuseUnknownProject(client: Pick<ApiClient, 'list'>, { spec }: Application): Promise<void> {
  const { items } = await listAll<AppProject>(client, appProjectKind.type, { namespace: controlPlaneNamespace });
  const names = items.map(({ metadata }) => metadata.name);
  const project = spec.project || 'default';
  if (names.includes(project)) return;
  throw new CliError(
    `project ${project} not found${didYouMean(project, names)}: fairlead get projects lists them; --no-verify skips this check`,
  );
}
