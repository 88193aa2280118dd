import { agentKind, applicationKind, appProjectKind, crdOf } from '@fairlead/api';
import { crdType, isNotFound, type KubeObject, namespaceType, type ResourceType } from '@fairlead/apimachinery';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  startControllers,
  startControlPlane,
} from '@fairlead/control-plane';
import { type ApiClient, type Clock, silentLogger, sleep, systemClock, systemRandom } from '@fairlead/kube';
import type { MirroredObject } from '../../src/core/kinds.ts';

export interface TestCluster {
  readonly plane: ControlPlane;
  readonly client: ApiClient;
  close(): Promise<void>;
}

/** An API server in this process, with the kinds that principals and agents need. */
export async function startCluster(
  options: { readonly controllers?: boolean; readonly clock?: Clock } & Pick<ControlPlaneOptions, 'podLog'> = {},
): Promise<TestCluster> {
  const { controllers: _, ...planeOptions } = options;
  const plane = await startControlPlane(planeOptions);
  const client = plane.client('test');
  await prepare(client);
  // They delete the objects in a namespace that is being deleted.
  const controllers = options.controllers
    ? await startControllers({
        client: plane.client,
        clock: systemClock,
        random: systemRandom,
        log: silentLogger,
        kinds: () => plane.api.registry.all(),
        onKindsChanged: (listener) => plane.api.registry.onChange(listener),
        ca: plane.ca,
        issueSecretToken: plane.issueSecretToken,
      })
    : undefined;
  return {
    plane,
    client,
    async close() {
      await controllers?.stop();
      await plane.close();
    },
  };
}

export async function prepare(client: ApiClient): Promise<void> {
  for (const kind of [applicationKind, appProjectKind, agentKind]) await create(client, crdType, crdOf(kind));
  await create(client, namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } });
  await until(async () => {
    await client.list(agentKind.type);
    return true;
  });
}

async function create(client: ApiClient, type: ResourceType, object: KubeObject): Promise<void> {
  await client.create(type, object).catch((error: unknown) => {
    if (!/already exists/u.test((error as Error).message)) throw error;
  });
}

/** Waits until the condition is true; an error counts as false. */
export async function until(condition: () => Promise<boolean> | boolean, withinMs = 15_000, what = ''): Promise<void> {
  // A machine that is busy with other tests takes longer; an idle one never reaches this timeout.
  const end = Date.now() + 3 * withinMs;
  let last: unknown;
  for (;;) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`it did not come true in ${withinMs} ms: ${what || condition} ${last ?? ''}`);
    await sleep(systemClock, 20);
  }
}

export const { type: appType } = applicationKind;

export const application = (namespace: string, name: string, revision = 'v1'): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { namespace, name },
  spec: {
    project: 'default',
    source: { repoURL: 'https://git.example.com/shop', path: name, targetRevision: revision },
    destination: { name: 'in-cluster', namespace: name },
  },
});

export async function find(client: ApiClient, namespace: string, name: string): Promise<MirroredObject | undefined> {
  try {
    return await client.get<MirroredObject>(appType, { namespace, name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export const revisionOf = (app: MirroredObject | undefined): unknown =>
  (app?.spec?.['source'] as { targetRevision?: unknown } | undefined)?.targetRevision;

export async function makeNamespace(client: ApiClient, name: string): Promise<void> {
  await create(client, namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}
