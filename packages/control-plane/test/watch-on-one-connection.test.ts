/** A connection that is reused at once: the response to the second request waits for the first to be sent. */
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { connect } from 'node:tls';
import type { KubeObject } from '@fairlead/apimachinery';
import { scaledClock, startControlPlane } from '../src/index.ts';

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

test('a watch that is requested before the last one on its connection has ended misses nothing', async () => {
  const plane = await startControlPlane({ token: 'secret', clock: scaledClock(20) });
  try {
    const client = plane.client('test');
    const make = (name: string) =>
      client.create<KubeObject>(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace: 'default' },
      });
    const { resourceVersion } = (await make('before')).metadata;
    for (const name of ['one', 'two']) await make(name);
    const { hostname, port } = new URL(plane.url);
    const socket = connect({ host: hostname, port: Number(port), ca: plane.ca });
    const ask = (last: boolean): string =>
      `GET /api/v1/configmaps?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=4 HTTP/1.1\r\n` +
      `host: ${hostname}\r\nauthorization: Bearer secret\r\n${last ? 'connection: close\r\n' : ''}\r\n`;
    socket.write(ask(false) + ask(true));
    const [, first = '', second = ''] = (await text(socket)).split(/^HTTP\/1\.1 200 OK/mu);
    const namesIn = (answer: string): string[] =>
      [...answer.matchAll(/"ADDED".*?"name":"(\w+)"/gu)].map(([, name]) => name!);
    assert.deepEqual(namesIn(first), ['one', 'two']);
    assert.deepEqual(namesIn(second), ['one', 'two']);
  } finally {
    await plane.close();
  }
});
