import type { Application } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { nameOf } from '../selection/find-application.ts';
import { unwatched } from './installation.ts';

/** A message if the Application is in a namespace that no controller watches. */
export async function whyUnwatched(
  client: Pick<ApiClient, 'get'>,
  application: Application,
): Promise<string | undefined> {
  const watched = await unwatched(client, application);
  if (watched === undefined) return undefined;
  const { namespace = '' } = application.metadata;
  return `${nameOf(application)} is not reconciled: the controller watches Applications in ${watched}. Create it there, or add ${namespace} to application.namespaces in ConfigMap argocd-cmd-params-cm`;
}

/** Fails early: nothing would ever act on the request. */
export async function refuseUnwatched(client: Pick<ApiClient, 'get'>, application: Application): Promise<void> {
  const why = await whyUnwatched(client, application);
  if (why !== undefined) throw new CliError(why);
}
