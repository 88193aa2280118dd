import type { Application } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { visibleProjectOf } from '../cluster/project.ts';
import { nameOf } from '../selection/find-application.ts';
import { windowsOf } from './sync-windows.ts';

/** Fails early: a blocked sync would stay pending as long as the window. Without the right to read the project, the server or the controller decides. */
export async function refuseClosedWindow(
  client: Pick<ApiClient, 'get'>,
  application: Application,
  now: number,
): Promise<void> {
  const project = await visibleProjectOf(client, application);
  if (!project || project === 'hidden') return;
  const held = windowsOf(project, application, now).manual;
  if (held) throw new CliError(`${nameOf(application)} cannot be synced now: ${held}`);
}
