import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ApiError, configMapType } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import { startNeighbour, stopwatch } from '@fairlead/kube/testing';
import type { ControlPlane } from '../../src/index.ts';
import { injectedDisk, mountedDisk, type SmallDisk } from '../support/storage/full-disk.ts';

const base = mkdtempSync(join(tmpdir(), 'fairlead-full-disk-'));
const injected = injectedDisk(join(base, 'injected'));
const mounted = mountedDisk(join(base, 'mounted'));
// After the disk: it wraps what the storage imports.
const { startControlPlane } = await import('../../src/index.ts');

after(() => {
  mounted?.remove();
  rmSync(base, { recursive: true, force: true });
});

/** The status and the text of a health endpoint. */
const ask = (plane: ControlPlane, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { ca: plane.ca, headers: { authorization: `Bearer ${plane.token}` } };
    get(`${plane.url}${path}`, options, (answer) => {
      let text = `${answer.statusCode} `;
      answer
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .on('end', () => resolve(text));
    }).on('error', reject);
  });

async function attack(disk: SmallDisk): Promise<void> {
  const plane = await startControlPlane({ dataDir: disk.dir });
  const acknowledged = ['before'];
  try {
    await fillAndFree(plane, disk, acknowledged);
  } finally {
    disk.free();
    await plane.close();
  }
  const again = await startControlPlane({ dataDir: disk.dir });
  const { items } = await again.client('test').list(configMapType, { namespace: 'default' });
  await again.close();
  const names = items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
  assert.deepEqual(names.sort(), acknowledged.sort(), 'acknowledged writes, and no refused one');
}

async function fillAndFree(plane: ControlPlane, disk: SmallDisk, acknowledged: string[]): Promise<void> {
  const client = plane.client('test');
  const create = (name: string, bytes = 5_000): Promise<unknown> =>
    client.create(configMapType, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
      data: { text: 'x'.repeat(bytes) },
    });
  await create('before');
  let delivered = 0;
  const neighbour = await startNeighbour(async () => {
    const name = `delivered-${delivered++}`;
    const elapsed = stopwatch();
    // Small: the disk is so, too.
    await create(name, 1);
    acknowledged.push(name);
    return elapsed();
  });
  disk.fill();
  const refusals: unknown[] = [];
  for (let n = 0; n < 20; n++) {
    await create(`full-${n}`).then(
      () => acknowledged.push(`full-${n}`),
      (error: unknown) => refusals.push(error),
    );
  }
  const message = `the data directory ${join(disk.dir, 'state')} is full (ENOSPC: no space left on device, write): writes are refused until there is space again`;
  assert.ok(refusals.length > 0, 'the disk is full');
  for (const error of refusals) {
    assert.ok(error instanceof ApiError && error.code === 503 && error.retriable, String(error));
    assert.equal(error.message, message);
  }
  assert.equal(await ask(plane, '/readyz/storage'), `503 ${message}`);
  assert.match(await ask(plane, '/readyz'), /^503 .*\[-\]storage failed: the data directory .* is full/s);
  assert.equal(await ask(plane, '/livez'), '200 ok');
  assert.equal((await client.get(configMapType, { namespace: 'default', name: 'before' })).metadata.name, 'before');
  // It stays rejected while the repair finds no space.
  await sleep(systemClock, 1_500);
  await assert.rejects(create('still-full'), { message });

  disk.free();
  for (const end = Date.now() + 10_000; (await ask(plane, '/readyz')) !== '200 ok'; await sleep(systemClock, 50))
    assert.ok(Date.now() < end, 'writes are accepted again without a restart');
  for (let n = 0; n < 20; n++) {
    await create(`after-${n}`);
    acknowledged.push(`after-${n}`);
  }
  // Nobody can write to a full disk; afterwards, writes are as fast as before.
  await neighbour.assertUnaffected();
}

test('after a full disk writes are accepted again without a restart, and nothing acknowledged is lost', () =>
  attack(injected));

test('the same on a real file system that is full', { skip: mounted ? false : 'no permission to mount a tmpfs' }, () =>
  attack(mounted!),
);
