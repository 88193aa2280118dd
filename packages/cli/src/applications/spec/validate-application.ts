import { type Application, type AppProject, applicationKind, appProjectKind, closest } from '@fairlead/api';
import { type ApiClient, listAll } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { controlPlaneNamespace } from '../../install.ts';

/** What is wrong with an Application, each in a sentence. */
export const problemsOf = (application: Application): string[] =>
  applicationKind.validate({ ...application, status: undefined }).map(({ field, message }) => `${field} ${message}`);

export function refuseProblems(application: Application): void {
  const problems = problemsOf(application);
  if (problems.length > 0) throw new CliError(`the Application is not right: ${problems.join('; ')}`);
}

/** A project that is not there would only show once the controller looks. */
export async function refuseUnknownProject(client: Pick<ApiClient, 'list'>, { spec }: Application): Promise<void> {
  const { items } = await listAll<AppProject>(client, appProjectKind.type, { namespace: controlPlaneNamespace });
  const names = items.map(({ metadata }) => metadata.name);
  const wanted = spec.project || 'default';
  if (names.includes(wanted)) return;
  const near = closest(wanted, names);
  throw new CliError(
    `there is no project ${wanted}${near ? `, perhaps ${near} is meant` : ''}: fairlead get projects lists them; --no-validate goes on without one`,
  );
}
