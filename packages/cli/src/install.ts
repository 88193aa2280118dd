import { type Application, applicationKind, appProjectKind, crdOf, crdType, kinds } from '@fairlead/api';
import { assessHealth, equalJson, mergePatch } from '@fairlead/engine';
import {
  type ApiClient,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type ResourceType,
  sleep,
  systemClock,
} from '@fairlead/kube';
import { Complaint } from './complaint.ts';

const namespaceType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

const configMapType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

export const controlPlaneNamespace = 'argocd';

/** What must be in a cluster before Applications can live in it. What is there and not ours to change is left as it is. */
export async function install(
  client: ApiClient,
  { own, signal }: { readonly own: boolean; readonly signal: AbortSignal },
): Promise<void> {
  for (const kind of kinds) await ensure(client, crdType, crdOf(kind), own ? 'update' : 'keep');
  await Promise.all(kinds.map((kind) => established(client, crdOf(kind).metadata.name, signal)));
  await ensure(
    client,
    namespaceType,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: controlPlaneNamespace } },
    'keep',
  );
  await ensure(client, appProjectKind.type, defaultProject(), 'keep');
  if (own) await ensure(client, configMapType, parameters(), 'keep');
}

/**
 * In a cluster of our own nobody else works on Applications, so they are looked at wherever they are: one whose project does not permit its
 * namespace says so, instead of being left alone in silence.
 */
const parameters = (): KubeObject & { data: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cmd-params-cm', namespace: controlPlaneNamespace },
  data: { 'application.namespaces': '*' },
});

/** Everything is permitted, as in a fresh Argo CD: who wants borders makes projects. */
const defaultProject = (): KubeObject & { spec: object } => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: controlPlaneNamespace },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
});

/** Creates an object unless it is there; with `update`, one that differs is brought up to date. */
export async function ensure(
  client: ApiClient,
  type: ResourceType,
  object: KubeObject,
  then: 'keep' | 'update',
): Promise<'created' | 'there'> {
  const { namespace, name } = object.metadata;
  const key = namespace ? { namespace, name } : { name };
  try {
    await client.create(type, object);
    return 'created';
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  if (then === 'keep') return 'there';
  const live = (await client.get(type, key)) as KubeObject & { spec?: unknown };
  const { spec } = object as KubeObject & { spec?: unknown };
  if (equalJson(live.spec as never, spec as never)) return 'there';
  const patch = mergePatch({ ...live, metadata: { name } }, { ...live, spec, metadata: { name } } as KubeObject);
  if (patch) await client.patch(type, key, 'merge', patch);
  return 'there';
}

async function established(client: ApiClient, name: string, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const crd = await client.get(crdType, { name }, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (crd && assessHealth(crd)?.status === 'Healthy') return;
    await sleep(systemClock, 50, signal);
  }
  throw new Complaint(`the definition ${name} was not accepted by the cluster in time`);
}

export async function createApplication(client: ApiClient, application: Application): Promise<void> {
  await ensure(client, applicationKind.type, application, 'keep');
}
