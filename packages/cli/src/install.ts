import { type Application, applicationKind, appProjectKind, crdOf, type Kind, kinds } from '@fairlead/api';
import {
  apiVersionOf,
  crdType,
  equalJson,
  isAlreadyExists,
  isForbidden,
  isNotFound,
  type KubeObject,
  type ResourceType,
} from '@fairlead/apimachinery';
import { assessHealth, createMergePatch } from '@fairlead/engine';
import { type ApiClient, Discovery, findByApiVersion, type HttpClient, sleep, systemClock } from '@fairlead/kube';
import { CliError } from './cli-error.ts';

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

export interface InstallOptions {
  /** Whether the cluster is ours alone, so that what differs is brought up to date. */
  readonly own: boolean;
  readonly signal: AbortSignal;
}

/** What must be in a cluster before Applications can live in it. What is there and not ours to change is left as it is. */
export async function install(client: HttpClient, { own, signal }: InstallOptions): Promise<void> {
  await installKinds(client, kinds, { own, signal });
  await ensure(
    client,
    namespaceType,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: controlPlaneNamespace } },
    'keep',
  );
  await ensure(client, appProjectKind.type, defaultProject(), 'keep');
  if (own) await ensure(client, configMapType, parameters(), 'keep');
}

/** Whoever may not install needs nothing installed where somebody else has done it. */
export async function installKinds(
  client: HttpClient,
  wanted: readonly Kind<KubeObject>[],
  { own, signal }: InstallOptions,
): Promise<void> {
  const made: string[] = [];
  const refused: Kind<KubeObject>[] = [];
  for (const kind of wanted) {
    const crd = crdOf(kind);
    try {
      await ensure(client, crdType, crd, own ? 'update' : 'keep');
      made.push(crd.metadata.name);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      refused.push(kind);
    }
  }
  if (refused.length > 0) await requireKinds(client, refused, 'this user may not install them');
  await Promise.all(made.map((name) => established(client, name, signal)));
}

/** Complains of the kinds that the cluster does not know, with the reason why nothing is done about it. */
export async function requireKinds(
  client: HttpClient,
  kinds: readonly Kind<KubeObject>[],
  because: string,
): Promise<void> {
  const catalogue = await new Discovery(client).catalogue();
  const missing = kinds.filter(({ type }) => !findByApiVersion(catalogue, apiVersionOf(type), type.kind));
  if (missing.length === 0) return;
  const names = missing.map(({ type }) => `${type.plural}.${type.group}`).join(', ');
  throw new CliError(
    `the cluster does not know ${names}, and ${because}: have it done once by someone who may, for example with fairlead up --kubeconfig FILE`,
  );
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
    if (!isAlreadyExists(error) && !(isForbidden(error) && (await isThere(client, type, key)))) throw error;
  }
  if (then === 'keep') return 'there';
  const live = (await client.get(type, key)) as KubeObject & { spec?: unknown };
  const { spec } = object as KubeObject & { spec?: unknown };
  if (equalJson(live.spec as never, spec as never)) return 'there';
  const patch = createMergePatch({ ...live, metadata: { name } }, { ...live, spec, metadata: { name } } as KubeObject);
  if (patch) await client.patch(type, key, 'merge', patch);
  return 'there';
}

const isThere = (client: ApiClient, type: ResourceType, key: { namespace?: string; name: string }): Promise<boolean> =>
  client.get(type, key).then(
    () => true,
    () => false,
  );

async function established(client: ApiClient, name: string, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const crd = await client.get(crdType, { name }, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (crd && assessHealth(crd)?.status === 'Healthy') return;
    await sleep(systemClock, 50, signal);
  }
  throw new CliError(`the definition ${name} was not accepted by the cluster in time`);
}

export async function createApplication(client: ApiClient, application: Application): Promise<void> {
  await ensure(client, applicationKind.type, application, 'keep');
}
