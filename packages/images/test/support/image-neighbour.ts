import { join } from 'node:path';
import { type Application, applicationKind } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { type ImagesOptions, install, type RunningImages, readEnvironment, roles } from '@fairlead/cli/roles';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { accessOf, HttpClient, MetricsRegistry, parseKubeconfig, silentLogger } from '@fairlead/kube';
import { pushImage, startDemoRegistry } from '../../src/demo-registry/index.ts';
import { registriesConf, scratch, until } from './updater-setup.ts';

/** An image updater with a registry, and an Application `honest` whose images must arrive regardless of others. */
export interface ImageNeighbour {
  readonly client: HttpClient;
  /** Host and port of the registry of `honest`. */
  readonly registry: string;
  push(repository: string, tag: string): Promise<void>;
  addApplication(name: string, image: string, annotations?: Readonly<Record<string, string>>): Promise<void>;
  removeApplication(name: string): Promise<void>;
  /** Pushes an image of `honest`: the time until the Application has it, in ms. */
  deliver(): Promise<number>;
  start(
    settings: ImagesOptions['settings'],
  ): Promise<{ readonly stop: AbortController; readonly running: RunningImages }>;
  close(): Promise<void>;
}

/** `hosts` are registries other than that of `honest`. */
export async function startImageNeighbour(...hosts: string[]): Promise<ImageNeighbour> {
  const folder = scratch();
  const registry = await startDemoRegistry();
  const host = new URL(registry.url).host;
  const cluster = await startEmbeddedCluster({ nodes: 0 });
  const client = new HttpClient((await accessOf(parseKubeconfig(cluster.kubeconfig(), 'kubeconfig'))).client);
  await install(client, { own: true, signal: new AbortController().signal });
  let pushed = 0;
  const push = async (repository: string, tag: string): Promise<void> => {
    await pushImage(registry.url, { repository, tag, created: new Date() });
  };
  const addApplication: ImageNeighbour['addApplication'] = async (name, image, annotations = {}) => {
    const application: unknown = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name,
        namespace: 'argocd',
        annotations: { 'argocd-image-updater.argoproj.io/image-list': `web=${image}:^1`, ...annotations },
      },
      spec: {
        project: name.replace(/-\d+$/u, ''),
        source: { repoURL: 'https://git.example.com/x', path: '.', kustomize: {} },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
      },
      status: { sourceType: 'Kustomize', summary: { images: [`${image}:1.0.0`] } },
    };
    await client.create(applicationKind.type, application as KubeObject);
  };
  await push('web', '1.0.0');
  await addApplication('honest', `${host}/web`);
  return {
    client,
    registry: host,
    push,
    addApplication,
    async removeApplication(name) {
      await client.delete(applicationKind.type, { namespace: 'argocd', name });
    },
    async deliver() {
      const tag = `1.${++pushed}.0`;
      await push('web', tag);
      const began = performance.now();
      const images = async () => {
        const { spec } = await client.get<Application>(applicationKind.type, { namespace: 'argocd', name: 'honest' });
        return spec.source?.kustomize?.images ?? [];
      };
      await until(async () => (await images()).some((image) => image.endsWith(`:${tag}`)), images);
      return performance.now() - began;
    },
    async start(settings) {
      const stop = new AbortController();
      const running = await roles.images.start(
        {
          dir: join(folder.path, `images-${settings.mode}`),
          settings: { intervalMs: 500, tickMs: 100, ...settings },
          registriesConf: registriesConf(host, ...hosts),
          allowLocalRepositories: false,
          allowProcessCredentials: false,
          dryRun: false,
          leaderElection: false,
          commit: { name: 'updater', email: 'updater@example.com', windowMs: 100 },
        },
        { client, environment: readEnvironment(), registry: new MetricsRegistry(), log: silentLogger },
        stop.signal,
      );
      return { stop, running };
    },
    async close() {
      await client.close();
      await cluster.close();
      await registry.close();
      folder.remove();
    },
  };
}
