import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationFields } from '../applications/application-fields.ts';
import { ApplicationEncoder } from './application-encoder.ts';
import { TextCache } from './text-cache.ts';

const application = (uid: string, resourceVersion: string, project: string): object => ({
  metadata: { name: 'shop', namespace: 'argocd', uid, resourceVersion },
  spec: { project, destination: {} },
});

test('a version is encoded once for the same fields, and never for others', () => {
  const encoder = new ApplicationEncoder();
  const project = applicationFields('items.spec.project', 'items');
  assert.equal(encoder.encode(application('a', '1', 'team'), project), '{"spec":{"project":"team"}}');
  // The same version, so what was encoded before: this object is not read.
  assert.equal(encoder.encode(application('a', '1', 'changed'), project), '{"spec":{"project":"team"}}');
  assert.equal(encoder.encode(application('a', '2', 'changed'), project), '{"spec":{"project":"changed"}}');
  assert.equal(encoder.encode(application('b', '1', 'other'), project), '{"spec":{"project":"other"}}');
  assert.equal(encoder.encode(application('a', '1', 'team'), applicationFields('items.none', 'items')), '{}');
  assert.match(encoder.encode(application('a', '1', 'team'), undefined), /"name":"shop"/u);
});

test('what is kept is bounded, and the least recently used is forgotten', () => {
  const cache = new TextCache(10);
  cache.set('a', '12345');
  cache.set('b', '12345');
  cache.get('a');
  cache.set('c', '1234');
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['12345', undefined, '1234']);
  assert.equal(cache.length, 9);
});
