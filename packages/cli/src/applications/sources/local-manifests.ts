import type { Application } from '@fairlead/api';
import { apiVersionOf } from '@fairlead/apimachinery';
import type { HttpClient } from '@fairlead/kube';
import { renderSource } from '@fairlead/render';
import { folderTree } from '@fairlead/source';
import { CliError } from '../../cli-error.ts';
import { sourceFor, versionOf } from '../../diff/compare-with-live.ts';
import { projectAccess, repositorySecrets } from '../../diff/project-access.ts';
import type { Environment } from '../../environment.ts';
import { controlPlaneNamespace } from '../../install.ts';
import { withFetching } from '../../render/fetching.ts';
import { complaining, placeAt } from '../../render/source-folder.ts';
import { withDestination } from '../cluster/destination.ts';
import { discoverKinds } from '../cluster/owner-tree.ts';
import { projectOf } from '../cluster/project.ts';
import { nameOf } from '../selection/find-application.ts';
import { isAutomated, sourcesOf } from '../tables/status-text.ts';

export interface LocalFlags {
  readonly local?: string;
  readonly 'dry-run'?: boolean;
  readonly revision?: string;
  readonly revisions?: readonly string[];
}

/** Whether an Application can be synced from a folder at all. */
export function refuseLocal(chosen: readonly Application[], flags: LocalFlags): void {
  if (flags.local === undefined) return;
  const [application] = chosen;
  if (!application || chosen.length > 1)
    throw new CliError(`--local ${flags.local} stands for the source of one Application: name it alone`);
  const name = nameOf(application);
  if (flags.revision || flags.revisions)
    throw new CliError('--local is a folder as it is now, and has no revisions: give one or the other');
  if (sourcesOf(application).length > 1)
    throw new CliError(`${name} has ${sourcesOf(application).length} sources: a folder can stand for one only`);
  if (isAutomated(application) && !flags['dry-run'])
    throw new CliError(
      `${name} syncs by itself and would undo a sync from a folder: fairlead app set ${name} --sync-policy manual stops that, --dry-run only asks`,
    );
}

/** What a folder comes to with the options of the Application's source, rendered on this machine as the controller would. */
export const renderLocal = (
  client: HttpClient,
  application: Application,
  folder: string,
  environment: Environment,
): Promise<string[]> =>
  withDestination(client, application, environment, async (there) => {
    const project = await projectOf(client, application);
    if (!project)
      throw new CliError(
        `the project ${application.spec.project || 'default'} of ${nameOf(application)} does not exist`,
      );
    const place = placeAt(folder, undefined);
    const { name } = application.metadata;
    const source = sourceFor(application, { app: name, path: place.path });
    const home = application.status?.controllerNamespace ?? controlPlaneNamespace;
    const access = projectAccess(project, await repositorySecrets(client, home), source);
    const { types } = await discoverKinds(there.client);
    const context = {
      name,
      namespace: application.spec.destination.namespace ?? '',
      project: project.metadata.name,
      refs: new Map(),
      kubeVersion: await versionOf(there.client),
      apiVersions: types.flatMap((type) => [apiVersionOf(type), `${apiVersionOf(type)}/${type.kind}`]),
    };
    const { manifests } = await complaining(undefined, () =>
      withFetching(environment, access, (fetchRemote) =>
        renderSource(source, folderTree(place.root), { ...context, fetchRemote }),
      ),
    );
    if (manifests.length === 0) throw new CliError(`${folder} comes to no objects at all: a sync of it would be empty`);
    return manifests.map(({ object }) => JSON.stringify(object));
  });
