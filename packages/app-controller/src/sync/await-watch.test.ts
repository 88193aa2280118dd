import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { VirtualClock } from '@fairlead/sim';
import { awaitWatch } from './await-watch.ts';

const configMap = (resourceVersion: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'web', resourceVersion },
});

async function waits(written: string, seenAt: (ms: number) => KubeObject[]): Promise<number> {
  const clock = new VirtualClock();
  const began = clock.now();
  let ended: number | undefined;
  const watched = () => seenAt(clock.now() - began);
  void awaitWatch(
    { watched, clock, signal: new AbortController().signal },
    new Map([['/ConfigMap/web/a', configMap(written)]]),
  ).then(() => {
    ended = clock.now() - began;
  });
  await clock.advance(60_000);
  return ended!;
}

test('a sync ends when the watch has delivered its writes, or after a short timeout', async () => {
  assert.equal(await waits('7', () => [configMap('7')]), 0, 'it is there');
  assert.equal(await waits('7', () => [configMap('12')]), 0, 'something newer is there');
  assert.equal(await waits('7', (ms) => (ms < 300 ? [configMap('6')] : [configMap('7')])), 300);
  assert.equal(await waits('7', (ms) => (ms < 300 ? [] : [configMap('7')])), 300, 'a new object');
  assert.equal(await waits('7', () => [configMap('6')]), 6_000, 'the watch is silent');
  assert.equal(await waits('v7', () => []), 0, 'versions that cannot be compared');
});
