import type { AppProject } from '@fairlead/api';
import { ApiError, isNotFound } from '@fairlead/apimachinery';
import { type CallApi, rest } from '../api-server/rest-api.ts';
import { CliError } from '../cli-error.ts';

/** Reads, changes and stores a project. Fields that the change does not name stay. */
export async function changeProject(
  api: CallApi,
  name: string,
  change: (spec: AppProject['spec']) => AppProject['spec'],
): Promise<AppProject> {
  const project = await readProject(api, name);
  const body = { project: { ...project, spec: change(project.spec) } };
  return api.call<AppProject>({ method: 'PUT', path: rest`/api/v1/projects/${name}`, body });
}

export async function readProject(api: CallApi, name: string): Promise<AppProject> {
  try {
    return await api.call<AppProject>({ path: rest`/api/v1/projects/${name}` });
  } catch (error) {
    if (!(error instanceof ApiError) || !isNotFound(error)) throw error;
    throw new CliError(`project ${name} not found: fairlead project list lists them`);
  }
}
