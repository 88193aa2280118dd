import { type Application, type AppProject, appProjectKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
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
    find(client, namespace, spec.project || 'default'),
    globalProjectsIn(client, namespace),
  ]);
  if (!project) return undefined;
  const names = globalsOf(project, settings);
  const globals = await Promise.all(names.map((name) => find(client, namespace, name)));
  return withGlobals(project, settings, (name) => globals[names.indexOf(name)]);
}

async function find(client: Pick<ApiClient, 'get'>, namespace: string, name: string): Promise<AppProject | undefined> {
  try {
    return await client.get<AppProject>(appProjectKind.type, { namespace, name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
