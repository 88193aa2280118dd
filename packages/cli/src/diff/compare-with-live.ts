import {
  type Application,
  type ApplicationSource,
  type AppProject,
  applicationKind,
  appProjectKind,
} from '@fairlead/api';
import { apiVersionOf, find, textAt } from '@fairlead/apimachinery';
import {
  type ComparedResource,
  type CompareOnceResult,
  compareOnce,
  inClusterName,
  inClusterServer,
  sourcesOf,
} from '@fairlead/app-controller';
import { createKinds, type DiscoveredType, type ResourceId } from '@fairlead/engine';
import { Discovery, type HttpClient } from '@fairlead/kube';
import { type RenderContext, renderSource, type Tree } from '@fairlead/render';
import { CliError } from '../cli-error.ts';
import { controlPlaneNamespace } from '../install.ts';
import { type FetchEnvironment, withFetching } from '../render/fetching.ts';
import type { ObjectDiff } from './print-diff.ts';
import { projectAccess, repositorySecrets } from './project-access.ts';

export interface DiffRequest {
  readonly app: string;
  readonly appNamespace: string;
  /** The folder that replaces the folder of the source, in the tree. */
  readonly path: string;
  readonly tree: Tree;
  /** The number of the source, from 1. */
  readonly position?: number;
  readonly environment: FetchEnvironment;
  /** Folders for the `ref` names of other sources. */
  readonly refs: ReadonlyMap<string, Tree>;
}

export interface DiffOutcome {
  readonly objects: readonly ObjectDiff[];
  readonly warnings: readonly string[];
}

/** Compares a folder with the live state of an Application. Read-only. */
export async function compareWithLive(client: HttpClient, request: DiffRequest): Promise<DiffOutcome> {
  const application = await getApplication(client, request.appNamespace, request.app);
  const { spec, status } = application;
  const { server = '', name = '' } = spec.destination;
  if (name !== inClusterName && server.replace(/\/$/u, '') !== inClusterServer)
    throw new CliError(
      `the destination of ${request.app} is cluster ${name || server}: only the Application's own cluster is supported`,
    );
  const home = status?.controllerNamespace ?? controlPlaneNamespace;
  const project = await projectOf(client, home, spec.project || 'default');
  const types = await discover(client);
  const kinds = createKinds(types);
  const namespace = spec.destination.namespace ?? '';
  const source = sourceFor(application, request);
  const context: RenderContext = {
    name: request.app,
    namespace,
    project: project.metadata.name,
    refs: request.refs,
    kubeVersion: await versionOf(client),
    apiVersions: types.flatMap((type) => [apiVersionOf(type), `${apiVersionOf(type)}/${type.kind}`]),
  };
  const access = projectAccess(project, await repositorySecrets(client, home), source);
  const { manifests } = await withFetching(request.environment, access, (fetchRemote) =>
    renderSource(source, request.tree, { ...context, fetchRemote }),
  );
  const compared = await compareOnce({
    client,
    home,
    application,
    project,
    destination: client,
    kinds,
    cluster: { name: inClusterName, server: inClusterServer },
    manifests,
    // Only one of several sources is given: objects of the others must not be shown as pruned.
    others: sourcesOf(spec).length > 1 ? [] : managedBefore(application),
  });
  const wrong = compared.conditions.find(({ type }) => type === 'ComparisonError' || type === 'InvalidSpecError');
  if (wrong) throw new CliError(wrong.message);
  return {
    objects: compared.resources.map((resource) => objectDiff(resource, compared)),
    warnings: compared.conditions.filter(({ type }) => isWarning(type)).map(({ message }) => message),
  };
}

/** Also objects that could not be compared. */
export const isWarning = (type: string): boolean => type.endsWith('Warning') || type === 'UnknownError';

export function objectDiff(
  { id, target, live, status, requiresPruning, ignorable, refusal }: ComparedResource,
  { differ }: Pick<CompareOnceResult, 'differ'>,
): ObjectDiff {
  if ((status !== 'OutOfSync' && !refusal) || ignorable) return { id, kind: 'same' };
  if (requiresPruning || !target) return { id, kind: 'pruned' };
  if (!live) return { id, kind: 'created', target };
  return { id, kind: 'changed', live, predicted: differ(target, live).predicted };
}

async function getApplication(client: HttpClient, namespace: string, name: string): Promise<Application> {
  const application = await find(client.get<Application>(applicationKind.type, { namespace, name }));
  if (!application)
    throw new CliError(
      `Application ${name} not found in namespace ${namespace}: name another with --app, or its namespace with --app-namespace`,
    );
  return application;
}

async function projectOf(client: HttpClient, namespace: string, name: string): Promise<AppProject> {
  const project = await find(client.get<AppProject>(appProjectKind.type, { namespace, name }));
  if (!project) throw new CliError(`project ${name} of the Application does not exist in namespace ${namespace}`);
  return project;
}

/** The Application's source with the given folder. */
export function sourceFor(
  { spec }: Application,
  { app, path, position }: Pick<DiffRequest, 'app' | 'path' | 'position'>,
): ApplicationSource {
  const all = sourcesOf(spec);
  const rendered = all.filter(({ path: own, chart }) => own || chart);
  const source = position === undefined ? rendered[0] : all[position - 1];
  if (!source || (position === undefined && rendered.length > 1))
    throw new CliError(
      `${app} has ${all.length} sources: select the one that the folder replaces with --source N, from 1`,
    );
  const { chart: _, ...options } = source;
  return { ...options, path: path === '' ? '.' : path };
}

const managedBefore = ({ status }: Application): ResourceId[] =>
  (status?.resources ?? []).map(({ group = '', kind = '', namespace = '', name = '' }) => ({
    group,
    kind,
    namespace,
    name,
  }));

async function discover(client: HttpClient): Promise<DiscoveredType[]> {
  const { groups } = await new Discovery(client).catalogue();
  return groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
}

export async function versionOf(client: HttpClient): Promise<string> {
  const answer: unknown = JSON.parse((await client.read('/version')).text);
  return textAt(answer, 'gitVersion').replace(/\+.*$/u, '');
}
