import type { Application } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { nameOf } from '../selection/find-application.ts';
import { unwatched } from './installation.ts';

/** That no controller looks at an Application, and what to do about it; undefined where one does. */
export async function whyUnwatched(
  client: Pick<ApiClient, 'get'>,
  application: Application,
): Promise<string | undefined> {
  const watched = await unwatched(client, application);
  if (watched === undefined) return undefined;
  const { namespace = '' } = application.metadata;
  return `nobody works on ${nameOf(application)}: the controller looks at Applications of ${watched}. Make it there, or name ${namespace} under application.namespaces in ConfigMap argocd-cmd-params-cm`;
}

/** What is asked of an Application that no controller looks at would be waited for in vain: better said now. */
export async function refuseUnwatched(client: Pick<ApiClient, 'get'>, application: Application): Promise<void> {
  const why = await whyUnwatched(client, application);
  if (why !== undefined) throw new CliError(why);
}
