import type { Application } from '@fairlead/api';
import { type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { renderSource } from '@fairlead/render';
import { folderTree } from '@fairlead/source';
import { type RestApi, rest } from '../../api-server/rest-api.ts';
import { projectOf } from '../../applications/cluster/project.ts';
import { nameOf } from '../../applications/selection/find-application.ts';
import type { TargetState } from '../../applications/sources/target-state.ts';
import { CliError } from '../../cli-error.ts';
import { sourceFor } from '../../diff/compare-with-live.ts';
import { projectAccess } from '../../diff/project-access.ts';
import type { Environment } from '../../environment.ts';
import { withFetching } from '../../render/fetching.ts';
import { sourceFolderAt, withRenderErrors } from '../../render/source-folder.ts';
import { compareManifests } from './compare-manifests.ts';
import { managedResources } from './managed-resources.ts';
import type { ServerClient } from './server-client.ts';

/** Renders a folder on this machine, for the version and kinds that the server reports of the destination. Credentials stay on the server. */
async function manifestsIn(
  api: RestApi,
  client: ServerClient,
  application: Application,
  folder: string,
  environment: Environment,
): Promise<KubeObject[]> {
  const project = await projectOf(client, application);
  if (!project)
    throw new CliError(`project ${application.spec.project || 'default'} of ${nameOf(application)} does not exist`);
  const { name } = application.metadata;
  const place = sourceFolderAt(folder, undefined);
  const source = sourceFor(application, { app: name, path: place.path });
  const { destination } = application.spec;
  const cluster = await api.call({
    path: rest`/api/v1/clusters/${destination.name || (destination.server ?? '')}`,
    query: destination.name ? { 'id.type': 'name' } : {},
  });
  const context = {
    name,
    namespace: destination.namespace ?? '',
    project: project.metadata.name,
    refs: new Map(),
    kubeVersion: textAt(cluster, 'info', 'serverVersion') || textAt(cluster, 'serverVersion'),
    apiVersions: listAt(cluster, 'info', 'apiVersions').map(String),
  };
  const { manifests } = await withRenderErrors(undefined, () =>
    withFetching(environment, projectAccess(project, [], source), (fetchRemote) =>
      renderSource(source, folderTree(place.root), { ...context, fetchRemote }),
    ),
  );
  return manifests.map(({ object }) => object);
}

export async function renderFolder(...request: Parameters<typeof manifestsIn>): Promise<string[]> {
  const objects = await manifestsIn(...request);
  if (objects.length === 0) throw new CliError(`${request[3]} renders no objects: a sync would be empty`);
  return objects.map((object) => JSON.stringify(object));
}

export async function compareFolder(
  ...request: Parameters<typeof manifestsIn>
): Promise<Pick<TargetState, 'differences' | 'warnings'>> {
  const [api, client, application] = request;
  const [objects, managed] = await Promise.all([manifestsIn(...request), managedResources(api, application)]);
  return compareManifests(client, application, objects, managed);
}
