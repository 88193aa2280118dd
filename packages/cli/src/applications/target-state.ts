import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Application, ApplicationSource } from '@fairlead/api';
import { type ComparedResource, compare, ignoredFields } from '@fairlead/app-controller/compare';
import { loadDesiredState } from '@fairlead/app-controller/desired-state';
import { FailedRenders } from '@fairlead/app-controller/failed-renders';
import { type Targets, targetsOf } from '@fairlead/app-controller/targets';
import { diff, idKey, type Kinds, type ResourceId, trackingName } from '@fairlead/engine';
import {
  apiVersionOf,
  type HttpClient,
  isNotFound,
  type KubeObject,
  systemClock,
  withoutManagedFields,
} from '@fairlead/kube';
import { createManifestCache, RenderError } from '@fairlead/render';
import { createSources, credentialsFor, repositoryTitled, SourceError, type StoredCredentials } from '@fairlead/source';
import { Complaint } from '../complaint.ts';
import type { ObjectDiff } from '../diff/print-diff.ts';
import { repositorySecrets } from '../diff/project-access.ts';
import type { Environment } from '../environment.ts';
import { controlPlaneNamespace } from '../install.ts';
import { trustIn } from '../roles/trust.ts';
import { keyOf, nameOf, projectOf } from './find.ts';
import { inClusterName, inClusterServer } from './in-cluster.ts';
import { discoverKinds, readObject, refuseElsewhere } from './owner-tree.ts';
import { sourcesOf } from './words.ts';

export interface TargetRequest {
  /** Instead of the Application's own. */
  readonly sources?: readonly ApplicationSource[];
  /** Commits or names, one a source, instead of what the sources say. */
  readonly revisions?: readonly string[];
}

/** What the sources say, and how it compares with what is live. */
export interface TargetState {
  readonly objects: readonly KubeObject[];
  readonly differences: readonly ObjectDiff[];
  readonly revisions: readonly string[];
  readonly warnings: readonly string[];
}

/** The source cannot be read or rendered from here. */
export class SourceUnreadable extends Complaint {}

/** Reads and renders the sources on this machine, with the repositories' credentials of the cluster, and compares. Changes nothing. */
export async function readTargetState(
  client: HttpClient,
  application: Application,
  { processes }: Environment,
  request: TargetRequest = {},
): Promise<TargetState> {
  refuseElsewhere(application, 'objects');
  const project = await projectOf(client, application);
  if (!project)
    throw new Complaint(
      `the project ${application.spec.project || 'default'} of ${nameOf(application)} does not exist`,
    );
  const home = application.status?.controllerNamespace ?? controlPlaneNamespace;
  const { kinds, types } = await discoverKinds(client);
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
      kubeVersion: await versionOf(client),
      apiVersions: types.flatMap((type) => [apiVersionOf(type), `${apiVersionOf(type)}/${type.kind}`]),
    };
    const world = {
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
    const desired = await loadDesiredState(world, recipient, asked, {
      fresh: true,
      ...(revisions ? { revisions } : {}),
    });
    const app = trackingName(keyOf(application), home);
    const cluster = { name: inClusterName, server: inClusterServer };
    const targets = targetsOf(desired.manifests, { app, namespace, kinds, project, cluster });
    const compared = await compareTargets(client, application, app, kinds, targets);
    return {
      objects: desired.manifests.map(({ object }) => object),
      revisions: desired.revisions,
      ...compared,
    };
  } catch (error) {
    if (error instanceof RenderError || error instanceof SourceError)
      throw new SourceUnreadable(error.message, { cause: error });
    throw error;
  } finally {
    sources.close();
    await rm(cacheDir, { recursive: true, force: true });
  }
}

async function compareTargets(
  client: HttpClient,
  application: Application,
  app: string,
  kinds: Kinds,
  targets: Targets,
): Promise<Pick<TargetState, 'differences' | 'warnings'>> {
  const wrong = targets.conditions.find(({ type }) => type === 'ComparisonError' || type === 'InvalidSpecError');
  if (wrong) throw new Complaint(wrong.message);
  const before = (application.status?.resources ?? []).map(
    ({ group = '', kind = '', namespace = '', name = '' }): ResourceId => ({ group, kind, namespace, name }),
  );
  const wanted = new Map([...targets.targets.map(({ id }) => id), ...before].map((id) => [idKey(id), id]));
  const found = await Promise.all([...wanted.values()].map((id) => readObject(client, kinds, id)));
  const live = found.flatMap((object) => (object ? [withoutManagedFields(object)] : []));
  const { ignoreDifferences = [] } = application.spec;
  const { resources, conditions } = compare({ app, targets, live, ignoreDifferences });
  return {
    differences: resources
      .filter(({ hook }) => !hook)
      .map((resource) => objectDiff(resource, ignoredFields(ignoreDifferences, resource.id))),
    warnings: conditions.filter(({ type }) => type.endsWith('Warning')).map(({ message }) => message),
  };
}

function objectDiff(
  { id, target, live, status, requiresPruning, ignorable }: ComparedResource,
  ignore: string[],
): ObjectDiff {
  if (status !== 'OutOfSync' || ignorable) return { id, kind: 'same' };
  if (requiresPruning || !target) return { id, kind: 'pruned' };
  if (!live) return { id, kind: 'created', target };
  return { id, kind: 'changed', live, predicted: diff(target, live, { ignore }).predicted };
}

async function versionOf(client: HttpClient): Promise<string> {
  const answer: unknown = JSON.parse((await client.read('/version')).text);
  return String((answer as { gitVersion?: unknown }).gitVersion ?? '').replace(/\+.*$/u, '');
}

const configMapType = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** Keys and certificates that servers of repositories are believed by; who may not read them believes what this machine does. */
async function configMaps(
  client: HttpClient,
  namespace: string,
): Promise<(name: string) => Readonly<Record<string, string>> | undefined> {
  const names = ['argocd-ssh-known-hosts-cm', 'argocd-tls-certs-cm'];
  const found = await Promise.all(
    names.map((name) =>
      client.get<ConfigMap>(configMapType, { namespace, name }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      }),
    ),
  );
  return (name) => found[names.indexOf(name)]?.data;
}
