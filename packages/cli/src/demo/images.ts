import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '@fairlead/apimachinery';
import { webhookKinds } from '@fairlead/images';
import { pushImage, startDemoRegistry } from '@fairlead/images/demo-registry';
import type { HttpClient } from '@fairlead/kube';
import { type DataDir, loadInstanceState, saveInstanceState } from '../data-dir.ts';
import { createApplication } from '../install.ts';
import { roles } from '../roles/index.ts';
import type { RoleHost } from '../roles/role-host.ts';
import type { ShutdownSequence } from '../shutdown-sequence.ts';
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
  readonly host: RoleHost;
}

/** Starts the demo registry on loopback and the image updater, and creates an Application that follows the registry. Returns a summary line. */
export async function startDemoImages(
  options: DemoImagesOptions,
  signal: AbortSignal,
  started: ShutdownSequence,
): Promise<string> {
  const { client, dir, host } = options;
  const secret = randomBytes(24).toString('base64url');
  let webhook: string | undefined;
  const registry = await openRegistry(dir, (body) => {
    if (webhook === undefined) return;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
    fetch(`${webhook}/webhook?type=distribution`, { method: 'POST', headers, body }).catch(() => {});
  });
  started.add('the demo registry', () => registry.close());
  saveInstanceState(dir, { ...loadInstanceState(dir), registryPort: Number(new URL(registry.url).port) });
  if (!registry.content.tags(demoImage))
    await pushImage(registry.url, { repository: demoImage, tag: firstDemoTag, created: new Date() });

  const kind = must(
    webhookKinds.find(({ type }) => type === 'distribution'),
    'webhook kind distribution',
  );
  const { webhookUrl } = await host.start(
    roles.images,
    {
      dir: join(dir.root, 'images'),
      settings: { mode: 'continuous', intervalMs: 30_000 },
      registriesConf: '',
      registries: [endpointAt(registry.url)],
      allowLocalRepositories: true,
      allowProcessCredentials: false,
      dryRun: false,
      leaderElection: false,
      // A user waits at the terminal, so the window is short. Changes made at the same time are still one commit.
      commit: { name: 'Fairlead', email: 'images@fairlead.local', windowMs: 300 },
      webhooks: { host: '127.0.0.1', port: 0, registered: [{ kind, secret }], perHour: 0 },
    },
    signal,
  );
  webhook = webhookUrl;
  await seedStorefront(dir, client, options.bare);
  return `image updater and demo registry ${registry.url} (${demoRegistryName})`;
}

/** On the port of the last start, or a free one if it is in use. */
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
  return start(loadInstanceState(dir).registryPort ?? 0).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return start(0);
    throw error;
  });
}

/** Once: an Application that the user has deleted stays deleted. */
async function seedStorefront(dir: DataDir, client: HttpClient, bare: string): Promise<void> {
  const marker = join(dir.run, 'storefront-created');
  if (existsSync(marker)) return;
  await createApplication(client, storefrontApplication(bare));
  writeFileSync(marker, '');
}
