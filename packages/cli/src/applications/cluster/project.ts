import { type Application, type AppProject, appProjectKind } from '@fairlead/api';
import { find, isForbidden } from '@fairlead/apimachinery';
import { globalsOf, withGlobals } from '@fairlead/app-controller';
import type { ApiClient } from '@fairlead/kube';
import { controlPlaneNamespace } from '../../install.ts';
import { globalProjectsIn } from './installation.ts';

/** The project of an Application, with the rules of its global projects; undefined when there is none. */
export async function projectOf(
  client: Pick<ApiClient, 'get'>,
  { spec, status }: Application,
): Promise<AppProject | undefined> {
  const namespace = status?.controllerNamespace ?? controlPlaneNamespace;
  const [project, settings] = await Promise.all([
    findProject(client, namespace, spec.project || 'default'),
    globalProjectsIn(client, namespace),
  ]);
  if (!project) return undefined;
  const names = globalsOf(project, settings);
  const globals = await Promise.all(names.map((name) => findProject(client, namespace, name)));
  return withGlobals(project, settings, (name) => globals[names.indexOf(name)]);
}

/** `hidden` if the user may not read projects: who may sync an Application need not have that right. */
export async function visibleProjectOf(
  client: Pick<ApiClient, 'get'>,
  application: Application,
): Promise<AppProject | 'hidden' | undefined> {
  try {
    return await projectOf(client, application);
  } catch (error) {
    if (isForbidden(error)) return 'hidden';
    throw error;
  }
}

async function findProject(
  client: Pick<ApiClient, 'get'>,
  namespace: string,
  name: string,
): Promise<AppProject | undefined> {
  return find(client.get<AppProject>(appProjectKind.type, { namespace, name }));
}
