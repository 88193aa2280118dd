import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImageGate, webhookKinds } from '@fairlead/images';
import { pushImage, startDemoRegistry } from '@fairlead/images/demo-registry';
import type { HttpClient, Logger } from '@fairlead/kube';
import type { Environment } from '../environment.ts';
import { createApplication } from '../install.ts';
import { type DataDir, recall, remember } from '../instance.ts';
import { startImages } from '../roles/images.ts';
import type { Started } from '../started.ts';
import {
  demoImage,
  demoRegistryDir,
  demoRegistryName,
  endpointAt,
  firstDemoTag,
  storefrontApplication,
} from './registry.ts';

export interface DemoImagesOptions {
  readonly client: HttpClient;
  readonly dir: DataDir;
  /** The demo's bare repository. */
  readonly bare: string;
  readonly environment: Environment;
  /** New images reach the nodes before they are committed. */
  readonly gate: ImageGate;
  readonly log: Logger;
}

/** The demo's registry on loopback, an Application that follows it, and the image updater. Says in a line what is there. */
export async function startDemoImages(
  options: DemoImagesOptions,
  signal: AbortSignal,
  started: Started,
): Promise<string> {
  const { client, dir, environment, log } = options;
  const secret = randomBytes(24).toString('base64url');
  let webhook: string | undefined;
  const registry = await openRegistry(dir, (body) => {
    if (webhook === undefined) return;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
    fetch(`${webhook}/webhook?type=distribution`, { method: 'POST', headers, body }).catch(() => {});
  });
  started.add('the demo registry', () => registry.close());
  remember(dir, { ...recall(dir), registryPort: Number(new URL(registry.url).port) });
  if (!registry.content.tags(demoImage))
    await pushImage(registry.url, { repository: demoImage, tag: firstDemoTag, created: new Date() });

  const kind = webhookKinds.find(({ type }) => type === 'distribution')!;
  const working = new AbortController();
  const role = await startImages(
    {
      client,
      dir: join(dir.root, 'images'),
      environment: environment.processes,
      settings: { mode: 'continuous', intervalMs: 30_000 },
      registriesConf: '',
      registries: [endpointAt(registry.url)],
      allowLocalRepositories: true,
      allowProcessCredentials: false,
      dryRun: false,
      leaderElection: false,
      gate: options.gate,
      // Somebody waits in front of the terminal: changes of one moment are still one commit.
      commit: { name: 'Fairlead', email: 'images@fairlead.local', windowMs: 300 },
      webhooks: { host: '127.0.0.1', port: 0, registered: [{ kind, secret }], perHour: 0 },
      log,
    },
    AbortSignal.any([signal, working.signal]),
  );
  webhook = role.webhookUrl;
  const running = role.run();
  started.add('the image updater', async () => {
    working.abort();
    await running.catch(() => {});
    await role.close();
  });
  await seedStorefront(dir, client, options.bare);
  return `image updater and demo registry ${registry.url} (${demoRegistryName})`;
}

/** On the port of the last start, unless someone else has it by now. */
async function openRegistry(dir: DataDir, notify: (body: string) => void) {
  const onPush = ({ repository, tag, digest }: { repository: string; tag: string; digest: string }): void =>
    notify(
      JSON.stringify({
        events: [
          {
            action: 'push',
            target: { repository, tag, digest, mediaType: 'application/vnd.oci.image.manifest.v1+json' },
            request: { host: demoRegistryName },
          },
        ],
      }),
    );
  const start = (port: number) => startDemoRegistry({ port, dir: demoRegistryDir(dir), onPush });
  return start(recall(dir).registryPort ?? 0).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return start(0);
    throw error;
  });
}

/** Once: an Application that its user has deleted stays deleted. */
async function seedStorefront(dir: DataDir, client: HttpClient, bare: string): Promise<void> {
  const marker = join(dir.run, 'storefront-created');
  if (existsSync(marker)) return;
  await createApplication(client, storefrontApplication(bare));
  writeFileSync(marker, '');
}
