import { type Application, type AppProject, appProjectKind } from '@fairlead/api';
import { type ConfigMap, configMapType, find, isForbidden, type KubeObject, keyOf } from '@fairlead/apimachinery';
import {
  compacted,
  createJq,
  createLua,
  createTracker,
  type Difference,
  excludedIn,
  idKey,
  type Kinds,
  type ResourceId,
  readObject,
  resourceIdOf,
  trackingName,
} from '@fairlead/engine';
import type { ApiClient } from '@fairlead/kube';
import type { Manifest } from '@fairlead/render';
import { type GlobalProject, globalsOf, withGlobals } from '../project/global-projects.ts';
import type { DestinationCluster } from '../project/project.ts';
import { keyOfApplication } from '../reconcile-env.ts';
import { parametersName, readInstallation, settingsName } from '../settings/read-installation.ts';
import { type Comparison, compare } from './compare.ts';
import { type Pair, ResourceEvaluator } from './resource-evaluator.ts';
import { targetsOfMany } from './targets.ts';

export interface CompareOnceRequest {
  /** The API in which Applications and the settings are. */
  readonly client: Pick<ApiClient, 'get'>;
  /** The namespace of the settings. */
  readonly home: string;
  readonly application: Application;
  readonly project: AppProject;
  /** The cluster of the objects. */
  readonly destination: Pick<ApiClient, 'get' | 'patch'>;
  readonly kinds: Kinds;
  readonly cluster: DestinationCluster;
  readonly manifests: readonly Manifest[];
  /** Objects that are read in addition to those of the manifests: candidates for pruning. */
  readonly others: readonly ResourceId[];
}

export interface CompareOnceResult extends Comparison {
  /** How an object that exists on both sides differs. */
  readonly differ: (target: KubeObject, live: KubeObject) => Difference;
}

/** Compares as the controller does, with the same settings, once, for a command: everything is read from the servers. Read-only. */
export async function compareOnce(request: CompareOnceRequest): Promise<CompareOnceResult> {
  const { client, home, application, destination, kinds, cluster, manifests, others } = request;
  const installation = readInstallation(
    ...(await Promise.all([settingsName, parametersName].map((name) => dataOf(client, home, name)))),
  );
  const project = await projectWithGlobals(client, home, request.project, installation.globalProjects);
  const tracker = createTracker(installation.tracking);
  const app = trackingName(keyOfApplication(application), home);
  const namespace = application.spec.destination.namespace ?? '';
  const targets = await targetsOfMany(manifests, {
    app,
    namespace,
    kinds,
    project,
    cluster,
    mark: { key: tracker.key, set: (object, owner) => tracker.mark(object, owner, namespace) },
    isExcluded: excludedIn(cluster.server, installation.filter),
  });
  const read = (id: ResourceId): Promise<KubeObject | undefined> => readOne({ client: destination, kinds }, id);
  // Target objects are read in the version in which they are written, so that both sides can be shown.
  const versions = new Map(targets.targets.map(({ id, object }) => [idKey(id), object.apiVersion]));
  const ids = new Map([...targets.targets.map(({ id }) => id), ...others].map((id) => [idKey(id), id]));
  const live = (
    await Promise.all([...ids].map(([key, id]) => readOne({ client: destination, kinds }, id, versions.get(key))))
  ).filter((object) => object !== undefined);
  const byId = new Map(live.map((object) => [idKey(resourceIdOf(object)), object]));
  const pairs = targets.targets.flatMap(({ id, object }): Pair[] => {
    const found = byId.get(idKey(id));
    return found ? [[object, found]] : [];
  });
  const jq = createJq({ timeMs: installation.jqTimeMs });
  const lua = createLua();
  try {
    const evaluator = new ResourceEvaluator({
      client: destination,
      clientAs: () => destination,
      kinds: () => kinds,
      live: () => ({ read }),
      installation,
      jq,
      lua,
    });
    const { differ, assess, problem } = await evaluator.prepare(application, pairs, live);
    return {
      ...compare({
        app,
        qualifiedName: keyOf(application),
        targets,
        live,
        appOf: tracker.appOf,
        ownerOf: tracker.ownerOf,
        differ,
        assess,
        ...(problem ? { problem } : {}),
      }),
      differ,
    };
  } finally {
    await Promise.all([jq.close(), lua.close()]);
  }
}

/** With the rules of its global projects. */
async function projectWithGlobals(
  client: Pick<ApiClient, 'get'>,
  namespace: string,
  project: AppProject,
  settings: readonly GlobalProject[],
): Promise<AppProject> {
  const found = await Promise.all(
    globalsOf(project, settings).map((name) => find(client.get<AppProject>(appProjectKind.type, { namespace, name }))),
  );
  return withGlobals(project, settings, (name) => found.find((one) => one?.metadata.name === name));
}

async function dataOf(
  client: Pick<ApiClient, 'get'>,
  namespace: string,
  name: string,
): Promise<Record<string, string>> {
  const found = await find(client.get<ConfigMap>(configMapType, { namespace, name })).catch((error: unknown) => {
    // Without permission to read the settings, the defaults apply.
    if (isForbidden(error)) return undefined;
    throw error;
  });
  return found?.data ?? {};
}

async function readOne(
  cluster: { readonly client: Pick<ApiClient, 'get'>; readonly kinds: Kinds },
  id: ResourceId,
  apiVersion = '',
): Promise<KubeObject | undefined> {
  const object = await readObject(cluster, id, { apiVersion });
  return object && compacted(object);
}
