import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { accessOf, HttpClient, parseKubeconfig, type WatchEvent } from '@fairlead/kube';
import { startControlPlane } from '../src/index.ts';

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

test('a slow watcher is not dropped while it reads its initial events', async () => {
  const plane = await startControlPlane({});
  const http = new HttpClient((await accessOf(parseKubeconfig(plane.kubeconfig(), 'embedded'))).client);
  const stop = new AbortController();
  try {
    const client = plane.client('test');
    const make = (name: string, bytes: number) => {
      const metadata = { namespace: 'default', name };
      const data = { text: 'x'.repeat(bytes) };
      return client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as KubeObject);
    };
    const large = 40;
    for (let i = 0; i < large; i++) await make(`large-${i}`, 700_000);
    const { signal } = stop;
    const events = http
      .watch(configMaps, {
        sendInitialEvents: true,
        allowWatchBookmarks: true,
        resourceVersionMatch: 'NotOlderThan',
        signal,
      })
      [Symbol.asyncIterator]();
    const next = async (): Promise<WatchEvent> => (await events.next()).value as WatchEvent;
    let event = await next();
    // All of it is being sent, and most of it is unread, when more events arrive.
    for (let i = 0; i < 5; i++) await make(`small-${i}`, 10);
    let received = 0;
    for (; event.type === 'ADDED'; event = await next()) received += 1;
    assert.equal(event.type, 'BOOKMARK', JSON.stringify(event));
    assert.ok(received >= large);
    for (let i = 0; i < 5; i++) {
      const { type, object } = await next();
      assert.deepEqual([type, (object as KubeObject).metadata.name], ['ADDED', `small-${i}`]);
    }
  } finally {
    stop.abort();
    await http.close();
    await plane.close();
  }
});
