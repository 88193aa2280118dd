import type { Application } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { projectOf } from '../cluster/project.ts';
import { nameOf } from '../selection/find-application.ts';
import { windowsOf } from './sync-windows.ts';

/** A sync that a window holds would wait in the Application for as long as the window does: better said now. */
export async function refuseClosedWindow(
  client: Pick<ApiClient, 'get'>,
  application: Application,
  now: number,
): Promise<void> {
  const project = await projectOf(client, application);
  const held = project && windowsOf(project, application, now).manual;
  if (held) throw new CliError(`${nameOf(application)} may not be synced now: ${held}`);
}
