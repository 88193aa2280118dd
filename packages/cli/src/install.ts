import {
  type Application,
  type AppProject,
  applicationKind,
  appProjectKind,
  crdOf,
  type Kind,
  kinds,
} from '@fairlead/api';
import {
  apiVersionOf,
  configMapType,
  crdType,
  equalJson,
  find,
  isAlreadyExists,
  isForbidden,
  type KubeObject,
  namespaceType,
  type ResourceType,
  toJson,
} from '@fairlead/apimachinery';
import { assessHealth, createMergePatch } from '@fairlead/engine';
import { type ApiClient, Discovery, findByApiVersion, type HttpClient, sleep, systemClock } from '@fairlead/kube';
import { CliError } from './cli-error.ts';
import { otherManager } from './other-manager.ts';

export const controlPlaneNamespace = 'argocd';

export interface InstallOptions {
  /** Whether the cluster is embedded, so that objects that differ are updated. */
  readonly own: boolean;
  readonly signal: AbortSignal;
  /** The namespace of settings and projects; `argocd` by default. */
  readonly namespace?: string;
}

/**
 * Creates the CRDs, the namespace and the default project. In a cluster that is not embedded, existing objects are left unchanged; if all of
 * them exist, nothing is requested that needs more than the permission to read the project.
 */
export async function install(
  client: HttpClient,
  { own, signal, namespace = controlPlaneNamespace }: InstallOptions,
): Promise<void> {
  if (!own && (await isInstalled(client, namespace))) return;
  await installKinds(client, kinds, { own, signal });
  await ensure(client, namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, 'keep');
  await ensure(client, appProjectKind.type, defaultProject(namespace), 'keep');
  if (own) await ensure(client, configMapType, parameters(namespace), 'keep');
}

async function isInstalled(client: HttpClient, namespace: string): Promise<boolean> {
  if ((await missingKinds(client, kinds)).length > 0) return false;
  try {
    return (await find(client.get(appProjectKind.type, { namespace, name: 'default' }))) !== undefined;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

async function missingKinds(client: HttpClient, required: readonly Kind<KubeObject>[]): Promise<Kind<KubeObject>[]> {
  const catalogue = await new Discovery(client).catalogue();
  return required.filter(({ type }) => !findByApiVersion(catalogue, apiVersionOf(type), type.kind));
}

/** Without the right to install, checks that everything is installed already. */
export async function installKinds(
  client: HttpClient,
  required: readonly Kind<KubeObject>[],
  { own, signal }: InstallOptions,
): Promise<void> {
  if (!own && (await missingKinds(client, required)).length === 0) return;
  const made: string[] = [];
  const refused: Kind<KubeObject>[] = [];
  for (const kind of required) {
    const crd = crdOf(kind);
    try {
      await ensure(client, crdType, crd, own ? 'update' : 'keep');
      made.push(crd.metadata.name);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      refused.push(kind);
    }
  }
  if (refused.length > 0) await requireKinds(client, refused, 'this user has no permission to install them');
  await Promise.all(made.map((name) => established(client, name, signal)));
}

/** Throws if kinds are missing, with the reason why they are not installed. */
export async function requireKinds(
  client: HttpClient,
  kinds: readonly Kind<KubeObject>[],
  because: string,
): Promise<void> {
  const missing = await missingKinds(client, kinds);
  if (missing.length === 0) return;
  const names = missing.map(({ type }) => `${type.plural}.${type.group}`).join(', ');
  throw new CliError(
    `the cluster has no CRDs for ${names}, and ${because}: ask an administrator to install them, for example with fairlead up --kubeconfig FILE`,
  );
}

/**
 * In an embedded cluster, Applications in all namespaces are reconciled: one whose project does not permit its namespace gets a
 * condition instead of being ignored.
 */
const parameters = (namespace: string): KubeObject & { data: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cmd-params-cm', namespace },
  data: { 'application.namespaces': '*' },
});

/** Permits everything, as in a new Argo CD installation. */
export const defaultProject = (namespace: string): KubeObject & { spec: object } => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
});

type WithSpec = KubeObject & { readonly spec?: unknown };

/** Creates an object if it does not exist; with `update`, updates one that differs, unless someone else manages it. */
export async function ensure(
  client: Pick<ApiClient, 'create' | 'get' | 'patch'>,
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
  const live: WithSpec = await client.get(type, key);
  const { spec }: WithSpec = object;
  if (equalJson(toJson(live.spec), toJson(spec)) || otherManager(live)) return 'there';
  const next: WithSpec = { ...live, spec, metadata: { name } };
  const patch = createMergePatch({ ...live, metadata: { name } }, next);
  if (patch) await client.patch(type, key, 'merge', patch);
  return 'there';
}

const isThere = (
  client: Pick<ApiClient, 'get'>,
  type: ResourceType,
  key: { namespace?: string; name: string },
): Promise<boolean> =>
  client.get(type, key).then(
    () => true,
    () => false,
  );

async function established(client: ApiClient, name: string, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const crd = await find(client.get(crdType, { name }, { signal }));
    if (crd && assessHealth(crd)?.status === 'Healthy') return;
    await sleep(systemClock, 50, signal);
  }
  throw new CliError(`timeout: the cluster did not establish CRD ${name}`);
}

export async function createApplication(client: ApiClient, application: Application): Promise<void> {
  await ensure(client, applicationKind.type, application, 'keep');
}

export async function createProject(client: ApiClient, project: AppProject): Promise<void> {
  await ensure(client, appProjectKind.type, project, 'keep');
}
