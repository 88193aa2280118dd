import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { OwnWrites } from './own-writes.ts';
import { SelectorIndex } from './selector-index.ts';

const object = (name: string, resourceVersion: string, uid = name): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, uid, resourceVersion },
});

test('a cache is stale until it has the last write and lacks the last deleted object', () => {
  const writes = new OwnWrites();
  const copies = new Map<string, KubeObject>([['gone', object('gone', '1')]]);
  const isBehind = () => writes.isBehind('g', (key) => copies.get(key));
  writes.wrote('g', object('made', '7'));
  writes.removed('g', object('gone', '1'));
  assert.ok(isBehind());
  assert.ok(!writes.isBehind('another', () => undefined));
  copies.set('made', object('made', '7'));
  assert.ok(isBehind());
  copies.set('gone', object('gone', '9', 'made-anew'));
  assert.ok(!isBehind());
  copies.clear();
  assert.ok(!isBehind(), 'a received write is not expected again');
});

test('an object is compared only with selectors that require one of its labels', () => {
  const index = new SelectorIndex();
  let asked = 0;
  const add = (key: string, namespace: string, required: Record<string, string>) =>
    index.set(key, namespace, required, (labels) => {
      asked += 1;
      return Object.entries(required).every(([name, value]) => labels[name] === value);
    });
  add('a', 'x', { app: 'a' });
  add('ab', 'x', { app: 'a', tier: 'b' });
  add('b', 'x', { app: 'b' });
  add('all', 'x', {});
  add('elsewhere', 'y', { app: 'a' });
  assert.deepEqual(index.selecting('x', { app: 'a', tier: 'c' }), ['all', 'a']);
  assert.equal(asked, 3);
  add('a', 'x', { app: 'z' });
  index.delete('all');
  assert.deepEqual(index.selecting('x', { app: 'a', tier: 'b' }), ['ab']);
});
