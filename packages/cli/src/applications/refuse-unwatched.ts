import type { Application } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { Complaint } from '../complaint.ts';
import { nameOf } from './find.ts';
import { unwatched } from './installation.ts';

/** What is asked of an Application that no controller looks at would be waited for in vain: better said now. */
export async function refuseUnwatched(client: Pick<ApiClient, 'get'>, application: Application): Promise<void> {
  const watched = await unwatched(client, application);
  if (watched === undefined) return;
  const { namespace = '' } = application.metadata;
  throw new Complaint(
    `nobody works on ${nameOf(application)}: the controller looks at Applications of ${watched}. Make it there, or name ${namespace} under application.namespaces in ConfigMap argocd-cmd-params-cm`,
  );
}
