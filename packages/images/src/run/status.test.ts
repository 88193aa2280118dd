import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { type ApiClient, systemClock } from '@fairlead/kube';
import { StatusWriter } from './status.ts';
import type { Result } from './updater-env.ts';

const application = (resourceVersion: string, types: readonly string[]): Application =>
  ({
    metadata: { namespace: 'argocd', name: 'web', uid: 'u', resourceVersion },
    status: { conditions: types.map((type) => ({ type, message: type === 'ImageUpdateError' ? 'no such tag' : 'x' })) },
  }) as unknown as Application;

const failing = (seen: Application): Result =>
  ({
    entry: { key: 'argocd/web', application: seen },
    report: { updated: [], held: [], problems: [{ error: new Error('no such tag') }] },
  }) as unknown as Result;

test('a condition is written once, and again if another writer has removed it', async () => {
  let live = application('1', ['SyncError']);
  const writes: string[][] = [];
  const client = {
    get: async () => live,
    patch: async (_: unknown, __: unknown, ___: unknown, body: { status: { conditions: { type: string }[] } }) => {
      const types = body.status.conditions.map(({ type }) => type);
      writes.push(types);
      live = application(String(Number(live.metadata.resourceVersion) + 1), types);
      return live;
    },
  } as unknown as Pick<ApiClient, 'get' | 'patch'>;
  const writer = new StatusWriter({ client, clock: systemClock, record: () => {} });
  const first = live;
  await writer.application(failing(first));
  assert.deepEqual(writes, [['SyncError', 'ImageUpdateError']]);
  await writer.application(failing(first));
  await writer.application(failing(live));
  assert.equal(writes.length, 1, 'neither while the watch is behind nor when it shows it');
  live = application('7', ['SyncError']);
  await writer.application(failing(live));
  assert.deepEqual(writes[1], ['SyncError', 'ImageUpdateError']);
});
