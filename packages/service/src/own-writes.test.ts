import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import type { Informer, InformerHandler } from '@fairlead/kube';
import { OwnWrites } from './own-writes.ts';

const object = (uid: string, resourceVersion: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'blue', name: 'shop', uid, resourceVersion },
});

/** A watch that emits the events given to it. */
function watched() {
  const handlers: InformerHandler<KubeObject>[] = [];
  let seen: KubeObject | undefined;
  const informer = {
    get: () => seen,
    addHandler: (handler: InformerHandler<KubeObject>) => handlers.push(handler),
  } as unknown as Informer<KubeObject>;
  return {
    writes: new OwnWrites(informer),
    shows(next: KubeObject): void {
      const before = seen;
      seen = next;
      for (const handler of handlers) {
        if (before) handler.onUpdate?.(before, next);
        else handler.onAdd?.(next, false);
      }
    },
    misses(): void {
      const before = seen!;
      seen = undefined;
      for (const handler of handlers) handler.onDelete?.(before);
    },
  };
}
const versionOf = (found: KubeObject | undefined): string | undefined => found?.metadata.resourceVersion;

test('a written object is returned until the watch shows a newer one', () => {
  const { writes, shows } = watched();
  writes.wrote(object('u1', '2'));
  assert.equal(versionOf(writes.get('blue/shop')), '2');
  shows(object('u1', '1'));
  assert.equal(versionOf(writes.get('blue/shop')), '2');
  shows(object('u1', '3'));
  assert.equal(versionOf(writes.get('blue/shop')), '3');
});

test('a write response that arrives after the watch reported the deletion does not bring the object back', () => {
  const { writes, shows, misses } = watched();
  shows(object('u1', '1'));
  misses();
  writes.wrote(object('u1', '2'));
  assert.equal(writes.get('blue/shop'), undefined);
  writes.wrote(object('u2', '4'));
  assert.equal(versionOf(writes.get('blue/shop')), '4', 'another of the name is not that one');
});
