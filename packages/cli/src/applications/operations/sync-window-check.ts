import type { Application } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { projectOf } from '../cluster/project.ts';
import { nameOf } from '../selection/find-application.ts';
import { windowsOf } from './sync-windows.ts';

/** Fails early: a blocked sync would stay pending as long as the window. */
export async function refuseClosedWindow(
  client: Pick<ApiClient, 'get'>,
  application: Application,
  now: number,
): Promise<void> {
  const project = await projectOf(client, application);
  const held = project && windowsOf(project, application, now).manual;
  if (held) throw new CliError(`${nameOf(application)} cannot be synced now: ${held}`);
}
