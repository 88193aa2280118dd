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
import { sourceFolderAt, withRenderErrors } from '../../render/source-folder.ts';
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

/** Throws if the Application cannot be synced from a folder. */
export function refuseLocal(chosen: readonly Application[], flags: LocalFlags): void {
  if (flags.local === undefined) return;
  const [application] = chosen;
  if (!application || chosen.length > 1)
    throw new CliError(`--local ${flags.local} replaces the source of one Application: name only one`);
  const name = nameOf(application);
  if (flags.revision || flags.revisions)
    throw new CliError('--local has no revisions: use --local or --revision, not both');
  if (sourcesOf(application).length > 1)
    throw new CliError(`${name} has ${sourcesOf(application).length} sources: --local supports only one`);
  if (isAutomated(application) && !flags['dry-run'])
    throw new CliError(
      `${name} is synced automatically, which would revert a sync from a folder: disable it with fairlead app set ${name} --sync-policy manual, or use --dry-run`,
    );
}

/** Renders a folder on this machine with the options of the Application's source, as the controller would. */
export const renderLocal = (
  client: HttpClient,
  application: Application,
  folder: string,
  environment: Environment,
): Promise<string[]> =>
  withDestination(client, application, environment, async (there) => {
    const project = await projectOf(client, application);
    if (!project)
      throw new CliError(`project ${application.spec.project || 'default'} of ${nameOf(application)} does not exist`);
    const place = sourceFolderAt(folder, undefined);
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
    const { manifests } = await withRenderErrors(undefined, () =>
      withFetching(environment, access, (fetchRemote) =>
        renderSource(source, folderTree(place.root), { ...context, fetchRemote }),
      ),
    );
    if (manifests.length === 0) throw new CliError(`${folder} renders no objects: a sync would be empty`);
    return manifests.map(({ object }) => JSON.stringify(object));
  });
