import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiVersionOf, type ResourceType } from '@fairlead/apimachinery';
import {
  accessOf,
  Discovery,
  HttpClient,
  type Informer,
  InformerFactory,
  parseKubeconfig,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { parse, stringify } from 'yaml';
import { startControllers } from '../../../src/controllers/index.ts';
import { startControlPlane } from '../../../src/index.ts';
import { kubectlEnvironment } from '../../../test/support/kubectl/run.ts';

/** A separate server for one case, and a directory to run kubectl in. */
export interface CaseServer {
  readonly client: HttpClient;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  typeOf(kind: string, apiVersion?: string): Promise<ResourceType>;
  informer(type: ResourceType): Promise<Informer>;
  /** Incremented with every change. */
  revision(): number;
  close(): Promise<void>;
}

export async function startCaseServer(namespace: string, options: { controllers: boolean }): Promise<CaseServer> {
  const plane = await startControlPlane();
  const controllers = options.controllers
    ? await startControllers({
        client: plane.client,
        clock: systemClock,
        random: systemRandom,
        kinds: () => plane.api.registry.all(),
        onKindsChanged: (listener) => plane.api.registry.onChange(listener),
        ca: plane.ca,
        issueSecretToken: plane.issueSecretToken,
      })
    : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-kubectl-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, inNamespace(plane.kubeconfig(), namespace), { mode: 0o600 });
  const access = await accessOf(parseKubeconfig(plane.kubeconfig(), kubeconfig), { env: {} });
  const client = new HttpClient(access.client);
  const discovery = new Discovery(client);
  const stopping = new AbortController();
  const informers = new InformerFactory(client);
  informers.start(stopping.signal);
  return {
    client,
    folder,
    env: kubectlEnvironment(folder, kubeconfig),
    async typeOf(kind, apiVersion) {
      const { groups } = await discovery.catalogue();
      const type = groups
        .flatMap(({ versions }) => versions.flatMap(({ resources }) => resources))
        .find((each) => each.kind === kind && (apiVersion === undefined || apiVersionOf(each) === apiVersion));
      if (!type) throw new Error(`${kind} is not served`);
      return type;
    },
    async informer(type) {
      const informer = informers.informer(type);
      await informer.waitForSync();
      return informer;
    },
    revision: () => plane.api.storage.revision,
    async close() {
      stopping.abort();
      await informers.stopped();
      await client.close();
      await controllers?.stop();
      await plane.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function inNamespace(kubeconfig: string, namespace: string): string {
  const config = parse(kubeconfig) as { contexts: { context: { namespace?: string } }[] };
  for (const { context } of config.contexts) context.namespace = namespace;
  return stringify(config);
}
