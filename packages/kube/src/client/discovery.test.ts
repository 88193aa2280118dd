import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError } from '@fairlead/apimachinery';
import { VirtualClock } from '@fairlead/sim';
import type { Informer, InformerHandler } from '../cache/informer.ts';
import { Discovery } from './discovery.ts';

/** Documents by path; a function is called for each request. */
function reading(documents: Record<string, unknown>) {
  const asked: string[] = [];
  const clock = new VirtualClock();
  const read = async (path: string) => {
    asked.push(path);
    const document = documents[path];
    if (document === undefined) throw apiError(503, 'ServiceUnavailable', `${path} is down`);
    return { contentType: 'application/json', text: JSON.stringify(document) };
  };
  return { asked, clock, documents, discovery: new Discovery({ read }, { clock }) };
}

const version = (name: string, ...kinds: string[]) => ({
  version: name,
  resources: kinds.map((kind) => ({
    resource: `${kind.toLowerCase()}s`,
    responseKind: { group: '', version: '', kind },
    scope: kind === 'Node' ? 'Cluster' : 'Namespaced',
    singularResource: kind.toLowerCase(),
    verbs: ['get', 'list'],
    shortNames: [kind.slice(0, 2).toLowerCase()],
    subresources: [{ subresource: 'status', verbs: ['get'] }],
  })),
});

const aggregated = (...items: unknown[]) => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  items,
});

const modern = () =>
  reading({
    '/api': aggregated({ metadata: {}, versions: [version('v1', 'Pod', 'Node')] }),
    '/apis': aggregated(
      { metadata: { name: 'apps' }, versions: [version('v1', 'Deployment')] },
      { metadata: { name: 'batch' }, versions: [version('v2', 'Job'), version('v1', 'Job', 'CronJob')] },
      { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', freshness: 'Stale', resources: [] }] },
    ),
  });

const old = () =>
  reading({
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': {
      kind: 'APIGroupList',
      groups: [
        { name: 'batch', versions: [{ version: 'v1' }, { version: 'v2' }], preferredVersion: { version: 'v2' } },
        { name: 'metrics.k8s.io', versions: [{ version: 'v1beta1' }], preferredVersion: { version: 'v1beta1' } },
      ],
    },
    '/api/v1': {
      resources: [
        { name: 'pods', kind: 'Pod', namespaced: true, singularName: 'pod', verbs: ['get'], shortNames: ['po'] },
        { name: 'pods/status', kind: 'Pod', namespaced: true, verbs: ['get'] },
        { name: 'nodes', kind: 'Node', namespaced: false, verbs: ['get'] },
      ],
    },
    '/apis/batch/v1': { resources: [{ name: 'jobs', kind: 'Job', namespaced: true, verbs: [] }] },
    '/apis/batch/v2': { resources: [{ name: 'jobs', kind: 'Job', namespaced: true, verbs: [] }] },
  });

for (const [name, make] of Object.entries({ aggregated: modern, 'one list a version': old })) {
  test(`${name}: kinds are found by their version, or in the preferred one`, async () => {
    const { discovery } = make();
    const pod = await discovery.resourceFor('v1', 'Pod');
    assert.deepEqual(
      [pod?.plural, pod?.namespaced, pod?.shortNames, pod?.subresources],
      ['pods', true, ['po'], ['status']],
    );
    assert.equal((await discovery.resourceFor('v1', 'Node'))?.namespaced, false);
    assert.equal((await discovery.resourceFor('batch/v1', 'Job'))?.version, 'v1');
    assert.equal((await discovery.preferredResource('batch', 'Job'))?.version, 'v2');
    assert.equal(await discovery.resourceFor('batch/v3', 'Job'), undefined);
    assert.equal(await discovery.preferredResource('', 'Job'), undefined);
  });

  test(`${name}: a version that cannot be read is reported, and does not affect the others`, async () => {
    const { discovery } = make();
    assert.deepEqual(
      (await discovery.catalogue()).failures.map(({ apiVersion }) => apiVersion),
      ['metrics.k8s.io/v1beta1'],
    );
  });
}

test('a kind that exists only in an older version is found by its group', async () => {
  assert.equal((await modern().discovery.preferredResource('batch', 'CronJob'))?.version, 'v1');
});

test('discovery is cached, and read again when a CustomResourceDefinition has changed', async () => {
  const { discovery, asked, documents } = modern();
  await Promise.all([discovery.resourceFor('v1', 'Pod'), discovery.resourceFor('apps/v1', 'Deployment')]);
  await discovery.preferredResource('apps', 'Deployment');
  assert.deepEqual(asked, ['/api', '/apis']);
  let handler: InformerHandler = {};
  discovery.invalidateOn({ addHandler: (h: InformerHandler) => (handler = h) } as unknown as Informer);
  documents['/apis'] = aggregated({ metadata: { name: 'example.com' }, versions: [version('v1', 'Widget')] });
  assert.equal((await discovery.resourceFor('apps/v1', 'Deployment'))?.plural, 'deployments');
  handler.onAdd?.({ apiVersion: '', kind: '', metadata: { name: 'widgets.example.com' } }, false);
  assert.equal((await discovery.resourceFor('example.com/v1', 'Widget'))?.plural, 'widgets');
  assert.equal(await discovery.resourceFor('apps/v1', 'Deployment'), undefined);
  assert.equal(asked.length, 4);
});

test('a read that started before a change is not cached after it', async () => {
  const { discovery, asked } = modern();
  const first = discovery.catalogue();
  discovery.invalidate();
  await first;
  await discovery.catalogue();
  assert.equal(asked.length, 4);
});

test('a missing kind is searched for again, but not on every lookup', async () => {
  const { discovery, asked, documents, clock } = modern();
  for (let i = 0; i < 5; i++) assert.equal(await discovery.resourceFor('example.com/v1', 'Widget'), undefined);
  assert.equal(asked.length, 2);
  documents['/apis'] = aggregated({ metadata: { name: 'example.com' }, versions: [version('v1', 'Widget')] });
  await clock.advance(2_000);
  assert.equal((await discovery.resourceFor('example.com/v1', 'Widget'))?.kind, 'Widget');
});

test('a server that is down is asked again by the next lookup', async () => {
  const { discovery, documents } = reading({});
  await assert.rejects(discovery.resourceFor('v1', 'Pod'), /\/api is down/);
  Object.assign(documents, modern().documents);
  assert.equal((await discovery.resourceFor('v1', 'Pod'))?.plural, 'pods');
});
