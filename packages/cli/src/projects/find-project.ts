import { type AppProject, appProjectKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import { listAll } from '@fairlead/kube';
import type { ObjectClient } from '../backend/backend.ts';
import { CliError } from '../cli-error.ts';
import { didYouMean } from '../did-you-mean.ts';
import { controlPlaneNamespace } from '../install.ts';

/** The project. If it does not exist, the error suggests a similar name. */
export async function findProject(client: Pick<ObjectClient, 'get' | 'list'>, name: string): Promise<AppProject> {
  const namespace = controlPlaneNamespace;
  try {
    return await client.get<AppProject>(appProjectKind.type, { namespace, name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const { items } = await listAll<AppProject>(client, appProjectKind.type, { namespace });
  const names = items.map(({ metadata }) => metadata.name);
  throw new CliError(`project ${name} not found${didYouMean(name, names)}: fairlead project list lists them`);
}
