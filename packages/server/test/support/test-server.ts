import { applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import { configMapType, crdType, isNotFound, type KubeObject, namespaceType, secretType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { type ApiClient, silentLogger, sleep, systemClock, systemRandom } from '@fairlead/kube';
import { hashSync } from 'bcryptjs';
import { type RunningServer, type StartServerOptions, startServer } from '../../src/start-server.ts';

export const namespace = 'argocd';

export interface TestServer extends RunningServer {
  readonly client: ApiClient;
  /** Creates an object of a kind whose definition may not be served yet. */
  create(object: KubeObject): Promise<void>;
  /** Signs in through REST. */
  tokenOf(account: string): Promise<string>;
}

/** A server on an embedded cluster, with the accounts admin, alice (Applications of the project default) and bob (nothing). Passwords are NAME-password. */
export async function startTestServer(options: Partial<StartServerOptions> = {}): Promise<TestServer> {
  const cluster = await startEmbeddedCluster({ nodes: 0 });
  const client = cluster.client('test');
  for (const kind of [applicationKind, appProjectKind, applicationSetKind]) await client.create(crdType, crdOf(kind));
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const hash = (password: string): string => Buffer.from(hashSync(password, 4)).toString('base64');
  const configMaps = {
    'argocd-cm': { 'accounts.alice': 'login, apiKey', 'accounts.bob': 'login' },
    'argocd-rbac-cm': { 'policy.csv': 'p, alice, applications, *, default/*, allow' },
  };
  for (const [name, data] of Object.entries(configMaps)) {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
    await client.create(configMapType, object);
  }
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'argocd-secret', namespace },
    data: {
      'admin.password': hash('admin-password'),
      'accounts.alice.password': hash('alice-password'),
      'accounts.bob.password': hash('bob-password'),
    },
  };
  await client.create(secretType, secret);
  const create = async (object: KubeObject): Promise<void> => {
    const { type } = object.kind === 'Application' ? applicationKind : appProjectKind;
    for (let attempt = 0; ; attempt++) {
      try {
        await client.create(type, object);
        return;
      } catch (error) {
        if (!isNotFound(error) || attempt > 50) throw error;
        await sleep(systemClock, 50);
      }
    }
  };
  await create(project('default'));
  const server = await startServer({
    client,
    namespace,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    host: '127.0.0.1',
    port: 0,
    version: 'v1',
    signInMs: 0,
    ...options,
  });
  return {
    ...server,
    client,
    create,
    tokenOf: async (account) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: account, password: `${account}-password` }),
      });
      const { token = '' } = (await answer.json()) as { token?: string };
      return token;
    },
    close: async () => {
      await server.close();
      await cluster.close();
    },
  };
}

export const project = (name: string): KubeObject =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  }) as KubeObject;

export const application = (name: string, inProject = 'default'): KubeObject =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace },
    spec: {
      project: inProject,
      source: { repoURL: 'https://git.example.com/shop', path: '.', targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
    },
  }) as KubeObject;
