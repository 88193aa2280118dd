import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Application, ApplicationSource } from '@fairlead/api';
import { apiVersionOf, type ConfigMap, configMapType, find, type KubeObject } from '@fairlead/apimachinery';
import { compareOnce, FailedRenders, loadDesiredState, TargetStateError } from '@fairlead/app-controller';
import type { ResourceId } from '@fairlead/engine';
import { type HttpClient, systemClock } from '@fairlead/kube';
import { createManifestCache, RenderError } from '@fairlead/render';
import { createSources, credentialsFor, repositoryTitled, SourceError, type StoredCredentials } from '@fairlead/source';
import { CliError } from '../../cli-error.ts';
import { isWarning, objectDiff, versionOf } from '../../diff/compare-with-live.ts';
import type { ObjectDiff } from '../../diff/print-diff.ts';
import { repositorySecrets } from '../../diff/project-access.ts';
import type { Environment } from '../../environment.ts';
import { controlPlaneNamespace } from '../../install.ts';
import { trustIn } from '../../roles/trust.ts';
import { type Destination, withDestination } from '../cluster/destination.ts';
import { discoverKinds } from '../cluster/owner-tree.ts';
import { projectOf } from '../cluster/project.ts';
import { nameOf } from '../selection/find-application.ts';
import { sourcesOf } from '../tables/status-text.ts';

export interface TargetRequest {
  /** Replaces the Application's own sources. */
  readonly sources?: readonly ApplicationSource[];
  /** Revisions, one per source, that replace those of the sources. */
  readonly revisions?: readonly string[];
}

/** The target state, and its comparison with the live state. */
export interface TargetState {
  readonly objects: readonly KubeObject[];
  readonly differences: readonly ObjectDiff[];
  readonly revisions: readonly string[];
  readonly warnings: readonly string[];
}

/** The source cannot be read or rendered on this machine. */
export class SourceUnreadable extends CliError {}

/** Reads and renders the sources on this machine, with the repositories' credentials of the cluster, and compares. Changes nothing. */
export const readTargetState = (
  client: HttpClient,
  application: Application,
  environment: Environment,
  request: TargetRequest = {},
): Promise<TargetState> =>
  withDestination(client, application, environment, (there) =>
    readFor(there, client, application, environment, request),
  );

async function readFor(
  there: Destination,
  client: HttpClient,
  application: Application,
  { processes }: Environment,
  request: TargetRequest,
): Promise<TargetState> {
  const project = await projectOf(client, application);
  if (!project)
    throw new CliError(`project ${application.spec.project || 'default'} of ${nameOf(application)} does not exist`);
  const home = application.status?.controllerNamespace ?? controlPlaneNamespace;
  const { kinds, types } = await discoverKinds(there.client);
  const stored = await repositorySecrets(client, home);
  const permits =
    (name: string) =>
    (entry: StoredCredentials): boolean =>
      !entry.project || entry.project === name;
  const cacheDir = await mkdtemp(join(tmpdir(), 'fairlead-sources-'));
  const trust = trustIn(await configMaps(client, home));
  const sources = createSources({
    cacheDir,
    clock: systemClock,
    environment: processes,
    pollMs: 600_000,
    allowLocal: true,
    trust,
  });
  try {
    const namespace = application.spec.destination.namespace ?? '';
    const recipient = {
      project,
      name: application.metadata.name,
      namespace,
      kubeVersion: await versionOf(there.client),
      apiVersions: types.flatMap((type) => [apiVersionOf(type), `${apiVersionOf(type)}/${type.kind}`]),
    };
    const loader = {
      sources,
      manifests: createManifestCache(),
      failures: new FailedRenders(systemClock),
      access: {
        credentialsFor: (url: string, name: string) => credentialsFor(url, stored, permits(name)),
        repositoryNamed: (title: string, name: string) => repositoryTitled(title, stored, permits(name)),
      },
    };
    const asked = request.sources ?? sourcesOf(application);
    const { revisions } = request;
    const desired = await loadDesiredState(loader, recipient, asked, {
      fresh: true,
      ...(revisions ? { revisions } : {}),
    });
    const compared = await compareOnce({
      client,
      home,
      application,
      project,
      destination: there.client,
      kinds,
      cluster: { name: there.name, server: there.server },
      manifests: desired.manifests,
      others: (application.status?.resources ?? []).map(
        ({ group = '', kind = '', namespace: there = '', name = '' }): ResourceId => ({
          group,
          kind,
          namespace: there,
          name,
        }),
      ),
    });
    const wrong = compared.conditions.find(({ type }) => type === 'ComparisonError' || type === 'InvalidSpecError');
    if (wrong) throw new CliError(wrong.message);
    return {
      objects: desired.manifests.map(({ object }) => object),
      revisions: desired.revisions,
      differences: compared.resources.filter(({ hook }) => !hook).map((resource) => objectDiff(resource, compared)),
      warnings: compared.conditions.filter(({ type }) => isWarning(type)).map(({ message }) => message),
    };
  } catch (error) {
    if (error instanceof TargetStateError || error instanceof RenderError || error instanceof SourceError)
      throw new SourceUnreadable(error.message, { cause: error });
    throw error;
  } finally {
    sources.close();
    await rm(cacheDir, { recursive: true, force: true });
  }
}

/** Known hosts and certificates of repository servers; without the right to read them, those of this machine. */
async function configMaps(
  client: HttpClient,
  namespace: string,
): Promise<(name: string) => Readonly<Record<string, string>> | undefined> {
  const names = ['argocd-ssh-known-hosts-cm', 'argocd-tls-certs-cm'];
  const found = await Promise.all(names.map((name) => find(client.get<ConfigMap>(configMapType, { namespace, name }))));
  return (name) => found[names.indexOf(name)]?.data;
}
