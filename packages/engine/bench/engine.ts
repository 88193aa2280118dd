import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KubeObject } from '@fairlead/apimachinery';
import type { Figure } from '../../../scripts/bench.ts';
import { lastAppliedText } from '../src/diff/last-applied.ts';
import {
  assessHealth,
  createCustomHealth,
  createJq,
  createLua,
  Differ,
  defaultDiffSettings,
  defaultTracker,
  diffPolicy,
  ownerOf,
} from '../src/index.ts';
import { lightened } from '../src/live/light-object.ts';
import { LiveIndex } from '../src/live/live-index.ts';
import { compacted } from '../src/live/managed-fields.ts';

/**
 * Measures the engine: memory of live state, cached and uncached comparisons, health, scripts. `npm run bench -- engine [OBJECTS]`, 200000
 * objects by default: half of them tracked, half untracked pods.
 */
export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const objects = Number(args.find((arg) => /^\d+$/u.test(arg)) ?? 200_000);
  yield* liveState(objects);
  yield* differences();
  yield* health();
}

const uid = (n: number): string => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;
const managedFields = [
  {
    manager: 'argocd-controller',
    operation: 'Update' as const,
    apiVersion: 'apps/v1',
    time: '2030-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:spec': {
        'f:replicas': {},
        'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { 'f:image': {} } } } },
      },
    },
  },
];
const labels = { app: 'web', tier: 'backend', team: 'shop' };
const container = {
  name: 'web',
  image: 'registry.example/shop/web:1.2.3',
  ports: [{ containerPort: 8080 }],
  env: [{ name: 'A', value: 'b' }],
};

function desired(n: number): KubeObject {
  const name = `web-${n}`;
  const plain = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: `team-${n % 100}`, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
  return defaultTracker.mark(plain as KubeObject, `app-${n % 10_000}`);
}

/** As received from the server. */
function stored(n: number): KubeObject {
  const target = desired(n);
  const annotations = {
    ...target.metadata.annotations,
    'kubectl.kubernetes.io/last-applied-configuration': lastAppliedText(target),
  };
  const metadata = {
    ...target.metadata,
    annotations,
    uid: uid(n),
    resourceVersion: String(n),
    generation: 1,
    creationTimestamp: '2030-01-01T00:00:00Z',
    managedFields,
  };
  const conditions = ['Available', 'Progressing'].map((type) => ({
    type,
    status: 'True',
    reason: 'Fine',
    message: 'it is fine',
    lastUpdateTime: '2030-01-01T00:00:00Z',
  }));
  const status = {
    observedGeneration: 1,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    conditions,
  };
  return JSON.parse(JSON.stringify({ ...target, metadata, status })) as KubeObject;
}

function pod(n: number): KubeObject {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `web-${n}`, uid: uid(n), controller: true };
  const metadata = {
    name: `web-${n}-abcde`,
    namespace: `team-${n % 100}`,
    uid: uid(1e9 + n),
    resourceVersion: String(n),
    labels,
    ownerReferences: [owner],
    managedFields,
    creationTimestamp: '2030-01-01T00:00:00Z',
  };
  const spec = { nodeName: `node-${n % 50}`, restartPolicy: 'Always', containers: [container] };
  const status = {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ name: 'web', ready: true, restartCount: 0, state: { running: {} } }],
  };
  return JSON.parse(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec, status })) as KubeObject;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function heapUsed(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

async function* liveState(objects: number): AsyncGenerator<Figure> {
  const index = new LiveIndex(ownerOf);
  const half = Math.floor(objects / 2);
  const before = heapUsed();
  const began = performance.now();
  for (let n = 0; n < half; n++) index.put(compacted(stored(n)));
  const tracked = heapUsed();
  for (let n = 0; n < half; n++) index.put(lightened(pod(n)));
  const all = heapUsed();
  yield {
    name: `live state of ${objects} objects`,
    value: (all - before) / 1024 ** 2,
    unit: 'MiB',
    atMost: Math.round((1536 * objects) / 200_000),
    note: `made, read and indexed in ${Math.round(performance.now() - began)} ms`,
  };
  yield { name: 'one object that an Application tracks', value: (tracked - before) / half, unit: 'bytes' };
  yield { name: 'one object that is nobody’s own', value: (all - tracked) / half, unit: 'bytes' };
  yield per('objects of one Application, by the index', 100_000, 'ns', 1e6, (i) =>
    index.objectsOf(`app-${i % 10_000}`),
  );
}

const per = (name: string, times: number, unit: string, scale: number, work: (i: number) => unknown): Figure => {
  for (let i = 0; i < times / 10; i++) work(i);
  const began = performance.now();
  for (let i = 0; i < times; i++) work(i);
  return { name, value: ((performance.now() - began) * scale) / times, unit };
};

async function* differences(): AsyncGenerator<Figure> {
  const jq = createJq();
  const cluster = {
    dryRunApply: async (object: KubeObject) => object,
    managedFields: async () => managedFields,
    schema: async () => undefined,
    inVersion: async () => undefined,
  };
  const differ = new Differ({ settings: defaultDiffSettings, cluster, jq, manager: 'argocd-controller' });
  const policy = diffPolicy({ ignore: [], syncOptions: [], compareOptions: '' });
  const pairs = Array.from({ length: 1_000 }, (_, n) => [desired(n), compacted(stored(n))] as const);
  const began = performance.now();
  for (const [target, live] of pairs) await differ.diff(target, live, policy);
  yield { name: 'a first comparison, three ways', value: (performance.now() - began) / pairs.length, unit: 'ms' };
  yield {
    ...per('a comparison that is known', 2_000_000, 'ns', 1e6, (i) => differ.cached(...pairs[i % 1_000]!, policy)),
    note: 'the same manifest',
  };
  const again = pairs.map(([target, live]) => [structuredClone(target), live] as const);
  const hashed = per(
    'a comparison that is known, of a manifest that was rendered again with the same result',
    1_000,
    'ns',
    1e6,
    (i) => differ.cached(...again[i]!, policy),
  );
  yield { ...hashed, note: 'by its hash, once' };
  for (const [name, rules] of [
    ['with a jq path', { jqPathExpressions: ['.spec.template.spec.containers[] | select(.name == "web").image'] }],
    ['by managed fields', { managedFieldsManagers: ['somebody'] }],
  ] as const) {
    const other = diffPolicy({
      ignore: [{ group: 'apps', kind: 'Deployment', ...rules }],
      syncOptions: [],
      compareOptions: '',
    });
    const start = performance.now();
    await Promise.all(pairs.map(([target, live]) => differ.diff(target, live, other)));
    yield { name: `a first comparison ${name}`, value: (performance.now() - start) / pairs.length, unit: 'ms' };
  }
  const applied = diffPolicy({ ignore: [], syncOptions: ['ServerSideApply=true'], compareOptions: '' });
  const start = performance.now();
  for (const [target, live] of pairs) await differ.diff(target, live, applied);
  yield {
    name: 'a first comparison, applied server-side',
    value: (performance.now() - start) / pairs.length,
    unit: 'ms',
  };
  await jq.close();
}

async function* health(): AsyncGenerator<Figure> {
  const objects = Array.from({ length: 1_000 }, (_, n) => compacted(stored(n)));
  yield per('health of a built-in kind', 200_000, 'ns', 1e6, (i) => assessHealth(objects[i % 1_000]!));
  const source = `
    for _, c in ipairs(obj.status.conditions or {}) do
      if c.type == "Available" and c.status == "True" then return {status = "Healthy", message = c.message} end
    end
    return {status = "Progressing", message = "waiting"}`;
  const lua = createLua();
  const { assess } = createCustomHealth([{ kinds: 'apps/Deployment', source, openLibs: false, name: 'bench' }], lua);
  const assessAll = () => Promise.all(objects.map((object) => assess(object)));
  await assessAll();
  const began = performance.now();
  for (let i = 0; i < 20; i++) await assessAll();
  yield { name: 'health by a script', value: (performance.now() - began) / 20, unit: 'µs', note: '1,000 at once' };
  await lua.close();
}
