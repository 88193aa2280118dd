/**
 * Live state is correct regardless of how often watches end and resume: hours of watches in seconds, on a control plane with a fast clock,
 * over HTTP and in process, with concurrent writers. Each object is written once or twice and then never again, so that a lost event stays
 * lost, and is found at the end.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, keyOf, type ResourceType } from '@fairlead/apimachinery';
import { type ControlPlane, scaledClock, startControlPlane } from '@fairlead/control-plane';
import { type ApiClient, accessOf, Discovery, HttpClient, Informer, parseKubeconfig } from '@fairlead/kube';
import { createKinds, LiveState } from '../src/index.ts';

/** A watch ends after 300 to 600 s, which is 100 to 200 ms of real time. */
const speed = 3_000;
const forMs = Number(process.env['FAIRLEAD_WATCH_SECONDS'] ?? 15) * 1_000;
const informersEach = 6;
const writers = 8;
const skip = process.env['FAIRLEAD_E2E_KUBECONFIG']
  ? 'the clock of a real cluster cannot be made to run faster'
  : false;

const core = (kind: string, plural: string): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const services = core('Service', 'services');
const configMaps = core('ConfigMap', 'configmaps');
const types = [services, configMaps];

for (const way of ['over HTTP', 'in process'] as const) {
  test(`watches that are resumed repeatedly lose nothing, ${way}`, { skip }, async (t) => {
    const plane = await startControlPlane({ clock: scaledClock(speed) });
    const http = new HttpClient((await accessOf(parseKubeconfig(plane.kubeconfig(), 'embedded'))).client);
    const stop = new AbortController();
    try {
      const counted = counting(way === 'in process' ? plane.client('reader') : http);
      const caches = await follow(counted.client, http, stop.signal);
      await write(plane.client('writer'), Date.now() + forMs);
      const gaps = await settledGaps(plane, caches);
      t.diagnostic(`${counted.taken()} watches resumed, ${counted.read()} started with a list`);
      assert.deepEqual(gaps.slice(0, 10), [], `${gaps.length} gaps in ${counted.taken()} watches`);
      assert.ok(counted.taken() > forMs / 200, 'watches were resumed all the time');
    } finally {
      stop.abort();
      await http.close();
      await plane.close();
    }
  });
}

interface Caches {
  readonly informers: ReadonlyMap<ResourceType, readonly Informer[]>;
  readonly live: LiveState;
}

async function follow(client: ApiClient, http: HttpClient, signal: AbortSignal): Promise<Caches> {
  const options = { clock: scaledClock(speed), stallMs: Number.MAX_SAFE_INTEGER };
  const live = new LiveState(client, options);
  const { groups } = await new Discovery(http).catalogue();
  const all = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
  live.follow(
    createKinds(all.filter(({ group, kind }) => types.some((type) => type.group === group && type.kind === kind))),
    signal,
  );
  const informers = new Map(
    types.map((type) => [type, Array.from({ length: informersEach }, () => new Informer(client, type, {}, options))]),
  );
  for (const one of [...informers.values()].flat()) void one.run(signal);
  await live.waitForSync(signal);
  return { informers, live };
}

/** Counts the watches that resume where another ended, and those that start with a list. */
function counting(client: ApiClient): { client: ApiClient; taken(): number; read(): number } {
  let [taken, read] = [0, 0];
  const watch: ApiClient['watch'] = (type, options) => {
    if (options?.resourceVersion) taken += 1;
    else read += 1;
    return client.watch(type, options);
  };
  return {
    client: { get: client.get.bind(client), list: client.list.bind(client), watch } as unknown as ApiClient,
    taken: () => taken,
    read: () => read,
  };
}

/** Creates objects, and sometimes changes or deletes them. */
async function write(client: ApiClient, until: number): Promise<void> {
  let last = 0;
  const one = async (): Promise<void> => {
    while (Date.now() < until) {
      const n = ++last;
      const name = `object-${n}`;
      const key = { namespace: 'default', name };
      for (const { kind } of types) {
        const annotations = { 'argocd.argoproj.io/tracking-id': `app-${n}:/${kind}:default/${name}` };
        const metadata = { ...key, ...(n % 2 === 0 ? { annotations } : {}) };
        const rest = kind === 'Service' ? { spec: { clusterIP: 'None', ports: [{ port: 80 }] } } : { data: { n: '1' } };
        await client.create(kind === 'Service' ? services : configMaps, { apiVersion: 'v1', kind, metadata, ...rest });
      }
      if (n % 7 === 0) await client.patch(configMaps, key, 'merge', { data: { n: '2' } });
      if (n % 11 === 0) await client.delete(services, key);
      await new Promise((resolve) => setTimeout(resolve, n % 20));
    }
  };
  await Promise.all(Array.from({ length: writers }, one));
}

/** Objects that the caches lack or should no longer have, once they have had time to receive every event. */
async function settledGaps(plane: ControlPlane, caches: Caches): Promise<string[]> {
  let gaps: string[] = [];
  for (let tries = 0; tries < 60; tries++) {
    gaps = await gapsOf(plane.client('checker'), caches);
    if (gaps.length === 0) return gaps;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return gaps;
}

async function gapsOf(client: ApiClient, { informers, live }: Caches): Promise<string[]> {
  const gaps: string[] = [];
  const versionOf = (object: KubeObject | undefined): string => object?.metadata.resourceVersion ?? 'nothing';
  for (const type of types) {
    const { items } = await client.list(type);
    const truth = new Map(items.map((object) => [keyOf(object), object]));
    const differ = (where: string, key: string, known: KubeObject | undefined): void => {
      const [has, is] = [versionOf(known), versionOf(truth.get(key))];
      if (has !== is) gaps.push(`${where} has ${has} of ${type.kind} ${key}, which is at ${is}`);
    };
    for (const informer of informers.get(type)!) {
      for (const key of truth.keys()) differ('an informer', key, informer.get(key));
      for (const object of informer.list()) if (!truth.has(keyOf(object))) differ('an informer', keyOf(object), object);
    }
    for (const [key, object] of truth) {
      const app = object.metadata.annotations?.['argocd.argoproj.io/tracking-id']?.split(':')[0];
      if (app === undefined) continue;
      const own = live.objectsOf(app).find(({ kind }) => kind === type.kind);
      differ('the live state', key, own);
    }
  }
  return gaps;
}
