/** An embedded cluster with Argo CD's settings, and API servers on it. */
import { applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import { configMapType, crdType, isNotFound, type KubeObject, namespaceType, secretType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { type ApiClient, silentLogger, sleep, systemClock, systemRandom } from '@fairlead/kube';
import { hashSync } from 'bcryptjs';
import { type RunningServer, type StartServerOptions, startServer } from '../../src/start-server.ts';

export const namespace = 'argocd';

export interface InstallationOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly rbac?: Readonly<Record<string, string>>;
  /** Further keys of `argocd-secret`, as text. */
  readonly secret?: Readonly<Record<string, string>>;
  /** Passwords of accounts; `admin` has `admin-password`. */
  readonly passwords?: Readonly<Record<string, string>>;
}

export interface Installation {
  readonly client: ApiClient;
  /** Another replica. They are closed with the installation. */
  serve(options?: Partial<StartServerOptions>): Promise<RunningServer & { readonly url: string }>;
  setSettings(data: Readonly<Record<string, string | null>>): Promise<void>;
  close(): Promise<void>;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hash = (password: string): string => base64(hashSync(password, 4));

export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const cluster = await startEmbeddedCluster({ nodes: 0 });
  const client = cluster.client('test');
  const create = (type: Parameters<ApiClient['create']>[0], object: object) =>
    client.create(type, object as KubeObject);
  for (const kind of [applicationKind, appProjectKind, applicationSetKind]) await client.create(crdType, crdOf(kind));
  await create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const configMap = (name: string, data: object) =>
    create(configMapType, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
  await configMap('argocd-cm', options.settings ?? {});
  await configMap('argocd-rbac-cm', options.rbac ?? {});
  const passwords = Object.entries({ admin: 'admin-password', ...options.passwords });
  await create(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'argocd-secret', namespace },
    data: {
      ...Object.fromEntries(
        passwords.map(([name, text]) => [
          name === 'admin' ? 'admin.password' : `accounts.${name}.password`,
          hash(text),
        ]),
      ),
      ...Object.fromEntries(Object.entries(options.secret ?? {}).map(([key, text]) => [key, base64(text)])),
    },
  });
  await served(() =>
    create(appProjectKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace },
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
    }),
  );
  const servers: RunningServer[] = [];
  return {
    client,
    async serve(more = {}) {
      const common = { clock: systemClock, random: systemRandom, log: silentLogger };
      const listen = { host: '127.0.0.1', port: 0, version: 'v1', signInMs: 0 };
      const server = await startServer({ client, namespace, ...common, ...listen, ...more });
      servers.push(server);
      return { ...server, url: `http://127.0.0.1:${server.port}` };
    },
    async setSettings(data) {
      await client.patch(configMapType, { namespace, name: 'argocd-cm' }, 'merge', { data });
      await sleep(systemClock, 200);
    },
    async close() {
      for (const server of servers) await server.close();
      await cluster.close();
    },
  };
}

/** Definitions are served a moment after they are accepted. */
export async function served<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!isNotFound(error) || attempt > 50) throw error;
      await sleep(systemClock, 50);
    }
  }
}
