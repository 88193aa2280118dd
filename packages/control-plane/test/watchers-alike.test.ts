/** Clients with the same request share one watch of the storage. This must not be visible to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { type ApiClient, accessOf, HttpClient, parseKubeconfig, seededRandom, type WatchOptions } from '@fairlead/kube';
import { startControlPlane } from '../src/index.ts';

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

const selections: readonly WatchOptions[] = [
  {},
  { namespace: 'default' },
  { namespace: 'kube-public' },
  { labelSelector: 'colour=red' },
  { namespace: 'default', labelSelector: 'colour=red' },
  { fieldSelector: 'metadata.name=c-1' },
];

interface Followed {
  readonly lines: string[];
  readonly ended: Promise<void>;
}

function follow(client: ApiClient, options: WatchOptions, onStarted = () => {}): Followed {
  const lines: string[] = [];
  const read = async (): Promise<void> => {
    for await (const { type, object } of client.watch(configMaps, options)) {
      if (type === 'BOOKMARK') onStarted();
      const { namespace, name, resourceVersion } = (object as KubeObject).metadata;
      lines.push(`${type} ${namespace}/${name} ${resourceVersion}`);
    }
  };
  return { lines, ended: read() };
}

const lengths = (all: readonly Followed[]): string => all.map(({ lines }) => lines.length).join();

for (const seed of [1, 2, 3]) {
  test(`each of many watchers receives the same events as a single one (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const plane = await startControlPlane({});
    const local = plane.client('test');
    const http = new HttpClient((await accessOf(parseKubeconfig(plane.kubeconfig(), 'embedded'))).client);
    const end = new AbortController();
    const there = new Set<string>();
    const revisions = [String(plane.api.storage.revision)];
    const change = async (step: number): Promise<void> => {
      const namespace = below(2) ? 'default' : 'kube-public';
      const name = `c-${below(4)}`;
      const metadata = { namespace, name, labels: { colour: below(2) ? 'red' : 'blue' } };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { step: String(step) } } as KubeObject;
      const key = `${namespace}/${name}`;
      if (!there.has(key)) await local.create(configMaps, object);
      else if (below(3)) await local.replace(configMaps, object);
      else await local.delete(configMaps, { namespace, name });
      if (there.has(key) && !plane.api.storage.get('core/configmaps', namespace, name)) there.delete(key);
      else there.add(key);
      revisions.push(String(plane.api.storage.revision));
    };
    const over: Followed[] = [];
    const alone: Followed[] = [];
    for (let step = 0; step < 120; step++) {
      await change(step);
      if (step % 3) continue;
      // From the initial state, from an old revision, or from the newest one.
      const from: WatchOptions = [
        { sendInitialEvents: true, allowWatchBookmarks: true, resourceVersionMatch: 'NotOlderThan' as const },
        { resourceVersion: revisions[below(revisions.length)]! },
        { resourceVersion: revisions.at(-1)! },
      ][below(3)]!;
      const options = { ...selections[below(selections.length)], ...from };
      alone.push(follow(local, { ...options, signal: end.signal }));
      // Watches with a revision may start later; initial events are from one revision.
      await new Promise<void>((onStarted) => {
        over.push(follow(http, options, onStarted));
        if (!from.sendInitialEvents) onStarted();
      });
    }
    const deadline = Date.now() + 30_000;
    while (lengths(over) !== lengths(alone) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await plane.close();
    end.abort();
    await Promise.all([...over, ...alone].map(({ ended }) => ended));
    assert.deepEqual(
      over.map(({ lines }) => lines),
      alone.map(({ lines }) => lines),
    );
    await http.close();
  });
}
