import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import {
  configMapType,
  crdType,
  type KubeObject,
  namespaceType,
  type ResourceType,
  secretType,
} from '@fairlead/apimachinery';
import { type ControlPlane, startControllers, startControlPlane } from '@fairlead/control-plane';
import { createJq, type Jq } from '@fairlead/engine';
import { type ApiClient, silentLogger, systemRandom } from '@fairlead/kube';
import { VirtualClock } from '@fairlead/sim';
import { createSources } from '@fairlead/source';
import {
  ApplicationSetController,
  createForgeHttp,
  defaultApplicationSetSettings,
} from '../../src/applicationset/index.ts';
import type { ApplicationSetSettings } from '../../src/applicationset/settings.ts';
import { type FakeForge, startForge } from './fake-forge.ts';

export const namespace = 'argocd';

export interface RunningController {
  readonly pending: number;
  stop(): Promise<void>;
}

/** The control plane that all cases share, one after the other. */
export interface Environment {
  readonly client: ApiClient;
  readonly clock: VirtualClock;
  readonly forge: FakeForge;
  /** The type of an object's kind; undefined while it is not served. */
  typeOf(object: Pick<KubeObject, 'apiVersion' | 'kind'>): ResourceType | undefined;
  startController(settings: Partial<ApplicationSetSettings>, cacheDir: string): RunningController;
  /** Lets time pass until nothing changes any more. */
  settle(): Promise<void>;
  /** Gives the watch of a local repository the time to report a push. */
  untilSeen(): Promise<void>;
  /** Everything that a case made goes. */
  clear(): Promise<void>;
  temporaryDir(): string;
  close(): Promise<void>;
}

export async function openEnvironment(): Promise<Environment> {
  const clock = new VirtualClock();
  const plane = await startControlPlane({ clock, serviceAccountAdmission: false });
  const controllers = await startControllers({
    client: plane.client,
    clock,
    random: systemRandom,
    kinds: () => plane.api.registry.all(),
    onKindsChanged: (listener) => plane.api.registry.onChange(listener),
    ca: plane.ca,
  });
  const client = plane.client('test');
  const typeOf: Environment['typeOf'] = ({ apiVersion, kind }) =>
    plane.api.registry
      .all()
      .find((one) => `${one.group ? `${one.group}/` : ''}${one.version}` === apiVersion && one.kind === kind);
  for (const kind of [applicationKind, applicationSetKind, appProjectKind]) await client.create(crdType, crdOf(kind));
  while (!typeOf({ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' })) await turn();
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const forge = await startForge();
  const jq = createJq({ timeMs: 10_000 });
  const root = mkdtempSync(join(tmpdir(), 'applicationset-'));
  const running = new Set<RunningController>();
  const isIdle = (): boolean => [...running].every(({ pending }) => pending === 0);

  async function untilIdle(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await turn();
      quiet = isIdle() ? quiet + 1 : 0;
    }
  }

  return {
    client,
    clock,
    forge,
    typeOf,
    startController(settings, cacheDir) {
      const controller = startController({ plane, clock, jq }, settings, cacheDir);
      running.add(controller);
      return {
        get pending() {
          return controller.pending;
        },
        async stop() {
          running.delete(controller);
          await controller.stop();
        },
      };
    },
    async settle() {
      for (let round = 0; round < 50; round++) {
        const before = plane.api.storage.revision;
        await untilIdle();
        await clock.advance(1_000);
        await untilIdle();
        if (plane.api.storage.revision === before) return;
      }
      throw new Error('the controller does not come to rest');
    },
    untilSeen: () => new Promise((resolve) => setTimeout(resolve, 200)),
    clear: () => clear(client, typeOf),
    temporaryDir: () => mkdtempSync(join(root, 'case-')),
    async close() {
      await jq.close();
      await forge.close();
      await controllers.stop();
      await plane.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** One turn of the event loop, with what input there is. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

function startController(
  { plane, clock, jq }: { readonly plane: ControlPlane; readonly clock: VirtualClock; readonly jq: Jq },
  settings: Partial<ApplicationSetSettings>,
  cacheDir: string,
): RunningController {
  const stop = new AbortController();
  const shared = { clock, random: systemRandom, log: silentLogger };
  const sources = createSources({ cacheDir, clock, environment: process.env, pollMs: 1_000, allowLocal: true });
  const forges = createForgeHttp({ clock, environment: {} });
  const controller = new ApplicationSetController({
    client: plane.client('applicationset-controller'),
    // The recorded controller learns of a commit when it asks, and not by an event.
    sources: { ...sources, onChange: () => () => {} },
    forges,
    jq,
    settings: () => ({ ...defaultApplicationSetSettings, progressiveSyncs: true, ...settings }),
    ...shared,
  });
  const stopped = controller.run(stop.signal);
  return {
    get pending() {
      return controller.pending;
    },
    async stop() {
      stop.abort();
      await stopped;
      sources.close();
      await forges.close();
    },
  };
}

async function clear(client: ApiClient, typeOf: Environment['typeOf']): Promise<void> {
  const apiVersion = 'argoproj.io/v1alpha1';
  const types = ['ApplicationSet', 'Application', 'AppProject'].map((kind) => typeOf({ apiVersion, kind }));
  for (const type of [...types, secretType, configMapType]) {
    if (!type) continue;
    for (const { metadata } of (await client.list(type, { namespace })).items) {
      const key = { namespace, name: metadata.name };
      if (metadata.finalizers?.length) await client.patch(type, key, 'merge', { metadata: { finalizers: null } });
      if (metadata.name !== 'kube-root-ca.crt') await client.delete(type, key).catch(() => {});
    }
  }
  for (const { metadata } of (await client.list(crdType)).items) {
    if (!metadata.name.endsWith('.argoproj.io')) await client.delete(crdType, { name: metadata.name });
  }
}
