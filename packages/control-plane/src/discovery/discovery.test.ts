import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@fairlead/apimachinery';
import { builtinResources, builtinReviews } from '../catalogue/builtin-resources.ts';
import type { Resource } from '../resource.ts';
import { createDiscovery } from './discovery.ts';
import { compareVersions } from './listed.ts';

const builtin = builtinResources({ rules: {}, tables: {} });

const custom = (version: string, more: Partial<Resource> = {}): Resource => ({
  group: 'example.com',
  version,
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
  namespaced: true,
  shortNames: ['wd'],
  categories: [],
  verbs: ['delete', 'get', 'create'],
  storage: 'example.com/widgets',
  schema: { type: 'object', fields: new Map() },
  rules: {},
  hasStatus: true,
  scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas' },
  hasGeneration: true,
  unconditionalUpdate: false,
  custom: true,
  ...more,
});

function serve(...added: Resource[]) {
  const served = { generation: 1, all: () => [...builtin, ...added], reviews: builtinReviews };
  return { served, added, answer: createDiscovery(served, () => '10.1.2.3:6443') };
}

const body = (sent: string | Buffer | undefined): JsonObject => JSON.parse(String(sent)) as JsonObject;
const aggregated = (version = 'v2') => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

test('the core group is listed at /api and its resources at /api/v1, with and without a trailing slash', () => {
  const { answer } = serve();
  for (const path of ['/api', '/api/']) {
    assert.deepEqual(body(answer(path, {})?.body), {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.1.2.3:6443' }],
    });
  }
  const list = body(answer('/api/v1', {})?.body);
  const names = (list['resources'] as JsonObject[]).map((each) => each['name'] as string);
  assert.deepEqual(names, names.toSorted());
  assert.equal(names[0], 'bindings');
  assert.ok(
    names.includes('pods/eviction') && names.includes('pods/status') && names.includes('serviceaccounts/token'),
  );
  assert.equal('apiVersion' in list, false);
});

test('groups are in the order of kube-apiserver, custom ones last, and v2 autoscalers are preferred', () => {
  const { answer } = serve(custom('v1'), custom('v1', { group: 'a.example.com' }));
  const groups = body(answer('/apis', {})?.body)['groups'] as JsonObject[];
  const names = groups.map((group) => group['name']);
  assert.deepEqual(names.slice(0, 5), [
    'apiregistration.k8s.io',
    'apps',
    'events.k8s.io',
    'authentication.k8s.io',
    'authorization.k8s.io',
  ]);
  assert.deepEqual(names.slice(-2), ['a.example.com', 'example.com']);
  const autoscaling = groups.find((group) => group['name'] === 'autoscaling');
  assert.deepEqual(autoscaling?.['preferredVersion'], { groupVersion: 'autoscaling/v2', version: 'v2' });
});

test('a custom resource lists status before scale and names its group in the aggregated form', () => {
  const { answer } = serve(custom('v1'));
  const list = body(answer('/apis/example.com/v1', {})?.body)['resources'] as JsonObject[];
  assert.deepEqual(
    list.map((each) => each['name']),
    ['widgets', 'widgets/status', 'widgets/scale'],
  );
  const items = body(answer('/apis', { accept: aggregated() })?.body)['items'] as JsonObject[];
  const [version] = items.at(-1)!['versions'] as JsonObject[];
  const [widgets] = version!['resources'] as JsonObject[];
  assert.deepEqual(widgets!['responseKind'], { group: 'example.com', version: 'v1', kind: 'Widget' });
  assert.deepEqual(
    (widgets!['subresources'] as JsonObject[]).map((each) => each['responseKind']),
    [
      { group: 'example.com', version: 'v1', kind: 'Widget' },
      { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    ],
  );
});

test('the aggregated form is served on request, with the core group at /api and the others at /apis', () => {
  const { answer } = serve();
  const both = `${aggregated()},${aggregated('v2beta1')},application/json`;
  const core = answer('/api', { accept: both });
  assert.equal(core?.headers['content-type'], aggregated());
  assert.deepEqual(
    (body(core?.body)['items'] as JsonObject[]).map((each) => each['metadata']),
    [{}],
  );
  const older = answer('/apis', { accept: `${aggregated('v2beta1')},application/json` });
  assert.equal(body(older?.body)['apiVersion'], 'apidiscovery.k8s.io/v2beta1');
  assert.equal(body(answer('/apis', { accept: `application/json,${aggregated()}` })?.body)['kind'], 'APIGroupList');
  assert.equal(body(answer('/apis', { accept: `${aggregated('v9')},application/json` })?.body)['kind'], 'APIGroupList');
});

test('a client with the current document gets a 304 until a resource is added', () => {
  const { served, added, answer } = serve();
  const first = answer('/apis', { accept: aggregated() });
  const etag = first?.headers['etag'];
  assert.match(etag ?? '', /^"[0-9A-F]{128}"$/);
  assert.equal(answer('/apis', { accept: aggregated(), 'if-none-match': etag })?.status, 304);
  assert.equal(answer('/apis', { accept: aggregated(), 'if-none-match': '"other"' })?.status, 200);
  added.push(custom('v1'));
  served.generation += 1;
  assert.equal(answer('/apis', { accept: aggregated(), 'if-none-match': etag })?.status, 200);
  assert.equal(answer('/apis/example.com/v1', {})?.status, 200);
});

test('an unknown group is a plain 404, an unknown version of a known group a Status', () => {
  const { answer } = serve();
  assert.equal(answer('/apis/nonsense.example.com', {})?.body, '404 page not found\n');
  assert.equal(answer('/apis/nonsense.example.com/v1', {})?.body, '404 page not found\n');
  for (const path of ['/apis/apps/v9', '/api/v2']) {
    const missing = answer(path, {});
    assert.equal(missing?.status, 404);
    assert.equal(body(missing?.body)['kind'], 'Status');
  }
  for (const path of ['/version', '/api/v1/pods', '/apis/apps/v1/deployments'])
    assert.equal(answer(path, {}), undefined);
});

test('versions are ordered as clients prefer them', () => {
  const sorted = ['foo', 'v1alpha1', 'v2', 'v11beta2', 'v10', 'bar', 'v2beta1', 'v11beta10'].sort(compareVersions);
  assert.deepEqual(sorted, ['v10', 'v2', 'v11beta10', 'v11beta2', 'v2beta1', 'v1alpha1', 'bar', 'foo']);
});
