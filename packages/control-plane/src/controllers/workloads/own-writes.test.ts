import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { type ApiClient, InformerFactory } from '@fairlead/kube';
import { readingOwnWrites } from './own-writes.ts';

const type: ResourceType = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** A server with a delayed watch. */
function server() {
  const events: { type: string; object: unknown }[] = [];
  let wake = () => {};
  let revision = 10;
  const send = (kind: string, object: unknown) => {
    events.push({ type: kind, object });
    wake();
  };
  const client = {
    list: async () => ({ items: [], resourceVersion: '10' }),
    async *watch(_: ResourceType, options: { signal?: AbortSignal }) {
      options.signal?.addEventListener('abort', () => wake());
      yield {
        type: 'BOOKMARK',
        object: { metadata: { resourceVersion: '10', annotations: { 'k8s.io/initial-events-end': 'true' } } },
      };
      while (!options.signal?.aborted) {
        while (events.length > 0) yield events.shift();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    create: async (_: ResourceType, object: KubeObject) => {
      revision += 1;
      return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    },
  };
  return { client: client as unknown as ApiClient, send };
}

const object = (resourceVersion: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'n', name: 'a', uid: 'u', resourceVersion },
});
/** A clock that never advances. */
const clock = { now: () => 0, after: () => () => {} };
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function started() {
  const { client, send } = server();
  const informers = new InformerFactory(client);
  const writer = readingOwnWrites(client, informers, clock, [type]);
  const stopping = new AbortController();
  informers.start(stopping.signal);
  await informers.waitForSync();
  let written = false;
  void writer.create(type, object('')).then(() => {
    written = true;
  });
  await turn();
  return { send, writer, stopping, isWritten: () => written };
}

test('a write is complete when the informer has it or a later version', async () => {
  const { send, stopping, isWritten } = await started();
  assert.equal(isWritten(), false);
  send('ADDED', { ...object('9'), metadata: { ...object('9').metadata, name: 'other' } });
  await turn();
  assert.equal(isWritten(), false, 'an older version does not count');
  send('ADDED', { ...object('12'), metadata: { ...object('12').metadata, name: 'later' } });
  await turn();
  assert.equal(isWritten(), true);
  stopping.abort();
});

test('when its controller stops, no write is waited for', async () => {
  const { writer, stopping, isWritten } = await started();
  const stop = new AbortController();
  const running = writer.serve({ run: async () => {} }).run(stop.signal);
  assert.equal(isWritten(), false);
  stop.abort();
  await running;
  await turn();
  assert.equal(isWritten(), true);
  stopping.abort();
});
