import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemClock } from '@fairlead/kube';
import { createSources, type Sources } from '../src/sources.ts';
import { packChart } from './support/chart-repository.ts';
import { debianPart } from './support/debian-part.ts';
import { type OciRegistry, registryUser, startRegistry } from './support/oci-registry.ts';
import { tarOf } from './support/tar-writer.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-registry-'));
const part = debianPart('docker-registry', 'docker-registry');
const tarGzip = 'application/vnd.oci.image.layer.v1.tar+gzip';
const chartLayer = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
let sources: Sources;
let count = 0;
beforeEach(() => {
  const cacheDir = join(scratch, `cache-${count++}`);
  sources = createSources({ cacheDir, clock: systemClock, environment: {}, pollMs: 60_000, allowLocal: false });
});
afterEach(() => sources.close());
after(() => rmSync(scratch, { recursive: true }));
const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? 'nothing').toString();

describe('a public registry', { skip: part.skip }, () => {
  let registry: OciRegistry;
  before(async () => {
    registry = await startRegistry(part.path, join(scratch, 'open'));
  });
  after(() => registry.close());
  const files = (content: string) => [
    { mediaType: tarGzip, content: gzipSync(tarOf([{ name: 'app/a.yaml', content }])) },
  ];

  test('an artifact resolves by tag, range and digest, and a tag can move', async () => {
    const first = await registry.push('team/app', 'v1.0.0', files('one'));
    const second = await registry.push('team/app', 'v1.1.0', files('two'));
    await registry.push('team/app', 'latest', files('two'));
    const source = { repoURL: `oci://${registry.host}/team/app` };
    assert.equal(await sources.resolve(source, 'v1.0.0'), first);
    assert.equal(await sources.resolve(source, '^1'), second);
    assert.equal(await sources.resolve(source, ''), second);
    assert.equal(await sources.resolve(source, first), first);
    assert.equal(text(await (await sources.tree(source, first)).read('app/a.yaml')), 'one');
    const moved = await registry.push('team/app', 'v1.0.0', files('three'));
    assert.equal(await sources.resolve(source, 'v1.0.0'), first, 'within the interval');
    assert.equal(await sources.resolve(source, 'v1.0.0', { fresh: true }), moved);
    assert.equal(text(await (await sources.tree(source, moved)).read('app/a.yaml')), 'three');
  });

  test('a chart is read with and without oci://', async () => {
    for (const version of ['1.0.0', '1.2.0', '2.0.0-rc.1', '1.2.0+build.5']) {
      const { archive } = packChart('web', version, { 'values.yaml': version });
      await registry.push('charts/web', version.replace('+', '_'), [{ mediaType: chartLayer, content: archive }]);
    }
    for (const repoURL of [`oci://${registry.host}/charts`, `${registry.host}/charts/`]) {
      const source = { repoURL, chart: 'web' };
      assert.equal(await sources.resolve(source, '1.0.0'), '1.0.0');
      assert.equal(await sources.resolve(source, '~1.0'), '1.0.0');
      assert.equal(text(await (await sources.tree(source, '1.0.0')).read('values.yaml')), '1.0.0');
      assert.equal(text(await (await sources.tree(source, '1.2.0+build.5')).read('values.yaml')), '1.2.0+build.5');
    }
    const source = { repoURL: `oci://${registry.host}/charts`, chart: 'web' };
    await assert.rejects(sources.resolve(source, '9.9.9'), {
      reason: 'RevisionNotFound',
      message: /charts\/web:9\.9\.9 was not found$/,
    });
    await assert.rejects(sources.resolve(source, '^9'), {
      reason: 'RevisionNotFound',
      message: /no tag in the range \^9$/,
    });
    await assert.rejects(sources.resolve({ ...source, chart: 'none' }, '*'), { reason: 'RepositoryNotFound' });
  });

  test('a single file and artifacts without files are read', async () => {
    const yaml = { mediaType: 'application/yaml', content: Buffer.from('kind: X'), title: 'x.yaml' };
    const source = { repoURL: `oci://${registry.host}/odd` };
    const file = await registry.push('odd', 'file', [yaml]);
    assert.equal(text(await (await sources.tree(source, file)).read('x.yaml')), 'kind: X');
    const two = await registry.push('odd', 'two', [yaml, ...files('x')]);
    await assert.rejects(sources.tree(source, two), { reason: 'NotSupported', message: /has 2 layers/ });
    const slip = await registry.push('odd', 'slip', [
      { mediaType: tarGzip, content: gzipSync(tarOf([{ name: '../x', content: '' }])) },
    ]);
    await assert.rejects(sources.tree(source, slip), {
      reason: 'InvalidArchive',
      message: /odd@sha256:.* leads out of it/,
    });
  });

  test('tags on several pages are read', async () => {
    for (let i = 0; i < 120; i++) await registry.push('many', `1.0.${i}`, files('x'));
    assert.equal(await sources.artifacts.version(`${registry.host}/many`, '*'), '1.0.119');
  });
});

describe('a registry with a password', { skip: part.skip }, () => {
  let registry: OciRegistry;
  before(async () => {
    registry = await startRegistry(part.path, join(scratch, 'closed'), { basic: true });
    await registry.push('charts/web', '1.0.0', [{ mediaType: chartLayer, content: packChart('web', '1.0.0').archive }]);
  });
  after(() => registry.close());

  test('the right credentials work; wrong or missing ones are reported as such', async () => {
    const source = { repoURL: `oci://${registry.host}/charts`, chart: 'web' };
    const credentials = { name: 'c', ...registryUser };
    assert.equal(await sources.resolve(source, '*', { credentials }), '1.0.0');
    assert.ok(await (await sources.tree(source, '1.0.0', { credentials })).read('Chart.yaml'));
    await assert.rejects(sources.tree(source, '1.0.0'), {
      reason: 'AuthenticationFailed',
      message: /authentication required/,
    });
    const wrong = { ...credentials, name: 'd', password: 'wrong-secret' };
    await assert.rejects(sources.resolve(source, '*', { credentials: wrong }), (error: Error & { reason?: string }) => {
      assert.equal(error.reason, 'AuthenticationFailed');
      assert.ok(!error.message.includes('wrong-secret'));
      return true;
    });
  });
});
