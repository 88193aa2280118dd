import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { apiVersionOf, defaultedKinds } from '@fairlead/apimachinery';
import type { Draft, Resource } from '../resource.ts';
import { builtinResources, builtinReviews } from './builtin-resources.ts';

const resources = builtinResources({ rules: {}, tables: {} });
const find = (plural: string, group = '', version = 'v1'): Resource => {
  const found = resources.find((each) => each.plural === plural && each.group === group && each.version === version);
  assert.ok(found, plural);
  return found;
};
const object = (value: object): KubeObject => value as KubeObject;

test('every resource has a schema, unique names and, except for the two shared ones, a unique storage key', () => {
  const names = resources.map((each) => `${each.group}/${each.version}/${each.plural}`);
  assert.equal(new Set(names).size, names.length);
  const byStorage = Map.groupBy(resources, (each) => each.storage);
  const shared = [...byStorage].filter(([, users]) => users.length > 1).map(([storage]) => storage);
  assert.deepEqual(shared.sort(), ['autoscaling/horizontalpodautoscalers', 'core/events']);
  for (const users of byStorage.values()) {
    assert.equal(users.filter((each) => !each.convert).length, 1, 'one version is stored, all others are converted');
  }
  for (const each of [...resources, ...builtinReviews()]) assert.ok(each.schema.fields.has('kind'), each.kind);
});

test('a resource with a status or scale subresource has the fields for it', () => {
  for (const each of resources) {
    if (each.hasStatus) assert.ok(each.schema.fields.has('status'), each.kind);
    const spec = each.schema.fields.get('spec')?.schema;
    if (each.scale) assert.ok(spec?.type === 'object' && spec.fields.has('replicas'), each.kind);
  }
});

test('rules and tables are found by apiVersion and kind', () => {
  const nodes = { warnings: () => ['w'] };
  const deployments = { columns: [], cells: () => [] };
  const made = builtinResources({ rules: { 'v1/Node': nodes }, tables: { 'apps/v1/Deployment': deployments } });
  const { default: defaults, ...rules } = made.find((each) => each.kind === 'Node')?.rules ?? {};
  assert.deepEqual(rules, nodes);
  assert.ok(defaults, 'the defaults of the type table');
  assert.equal(made.find((each) => each.kind === 'Deployment')?.table, deployments);
});

test('every kind that has defaults is served', () => {
  const served = new Set(
    builtinResources({ rules: {}, tables: {} }).map((each) => `${apiVersionOf(each)}/${each.kind}`),
  );
  assert.deepEqual(
    defaultedKinds.filter((kind) => !served.has(kind)),
    [],
  );
});

test('storage version hashes equal those of kube-apiserver', () => {
  assert.equal(find('pods').storageVersionHash, 'xPOwRZ+Yhw8=');
  assert.equal(find('deployments', 'apps').storageVersionHash, '8aSe+NMegvE=');
  assert.equal(find('events', 'events.k8s.io').storageVersionHash, find('events').storageVersionHash);
});

test('field selectors apply to the object in the requested version', () => {
  const pod = find('pods').selectable!;
  assert.equal(pod['spec.nodeName']!(object({ spec: { nodeName: 'a' } })), 'a');
  assert.equal(pod['spec.nodeName']!(object({})), '');
  assert.equal(pod['spec.hostNetwork']!(object({ spec: {} })), 'false');
  assert.equal(pod['status.podIP']!(object({ status: { podIPs: [{ ip: '10.1.1.1' }] } })), '10.1.1.1');
  const job = find('jobs', 'batch').selectable!;
  assert.equal(job['status.successful']!(object({ status: { succeeded: 3 } })), '3');
  assert.equal(job['status.successful']!(object({})), '0');
  const event = find('events').selectable!;
  assert.equal(event['source']!(object({ reportingComponent: 'x', source: {} })), 'x');
  assert.equal(find('configmaps').selectable, undefined);
});

test('a converted event has the field order of its new version', () => {
  const { convert } = find('events', 'events.k8s.io');
  const kept = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  };
  const shown = convert!.fromStorage(kept as unknown as Draft);
  assert.equal('reportingController' in shown, false, 'empty, and not written in this version');
  assert.equal(shown['deprecatedLastTimestamp'], null, 'empty, but written in this version');
  assert.deepEqual(convert!.toStorage(shown), kept);
});
