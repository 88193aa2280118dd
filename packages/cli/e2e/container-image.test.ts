/** `npm run image`: two builds are equal, a registry accepts the image, and the command runs from it as a user without rights. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { pushBlob, pushManifest } from '@fairlead/images/demo-registry';
import { debianPart, startRegistry } from '@fairlead/source/testing';
import { Fairlead, run, temporaryFolder } from '../test/support/fairlead-process.ts';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}
interface Manifest {
  readonly mediaType: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}
interface Config {
  readonly config: { readonly User: string; readonly Env: readonly string[]; readonly Entrypoint: readonly string[] };
}

const heavy = process.env['FAIRLEAD_E2E'] ? undefined : 'only in npm run e2e -- container-image';
const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = temporaryFolder();
const out = join(folder.path, 'image');
const unpacked = join(folder.path, 'root');
let digest = '';

const build = (dir: string): string => {
  const { status, stdout, stderr } = spawnSync('node', ['--no-warnings', 'scripts/image.ts', '--out', dir], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split('\n').at(-1) ?? '';
};
const blobFile = (of: string): string => join(out, 'oci/blobs', of.replace(':', '/'));
const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8'));
const manifest = (): Manifest => readJson(blobFile(digest));

before(async () => {
  if (heavy) return;
  digest = build(out);
  mkdirSync(unpacked);
  for (const layer of manifest().layers) await run('tar', ['-xzf', blobFile(layer.digest), '-C', unpacked]);
});
after(() => folder.remove());

test('two builds have the same digest', { skip: heavy }, () => {
  assert.match(digest, /^sha256:[0-9a-f]{64}$/u);
  assert.equal(build(join(folder.path, 'again')), digest);
  for (const file of ['fairlead.tar', 'sbom.spdx.json', 'provenance.json']) {
    assert.ok(readFileSync(join(folder.path, 'again', file)).equals(readFileSync(join(out, file))), file);
  }
});

test('a registry accepts the image under its digest', { skip: heavy }, async (t) => {
  const program = debianPart('docker-registry', 'docker-registry');
  if (program.skip) return t.skip(program.skip);
  const registry = await startRegistry(program.path, join(folder.path, 'registry'));
  t.after(() => registry.close());
  const server = `http://${registry.host}`;
  const { mediaType, config, layers } = manifest();
  for (const blob of [config, ...layers]) {
    const pushed = await pushBlob(server, 'fairlead', readFileSync(blobFile(blob.digest)));
    assert.deepEqual(pushed, { digest: blob.digest, size: blob.size });
  }
  await pushManifest(server, 'fairlead', 'e2e', readFileSync(blobFile(digest)), mediaType);
  const answer = await fetch(`${server}/v2/fairlead/manifests/e2e`, { headers: { accept: mediaType } });
  assert.equal(answer.headers.get('docker-content-digest'), digest);
});

test('the command, git, ssh and gpg run from the image, with a read-only root and without rights', {
  skip: heavy,
}, async (t) => {
  const { path: bwrap, skip } = debianPart('bwrap', 'bubblewrap');
  if (skip) return t.skip(skip);
  const { config } = readJson<Config>(blobFile(manifest().config.digest));
  assert.equal(config.User, '65532:65532');
  const data = join(folder.path, 'data');
  mkdirSync(data, { recursive: true });
  const environment = config.Env.flatMap((each) => ['--setenv', ...each.split(/=(.*)/su).slice(0, 2)]);
  const mounts = ['--ro-bind', unpacked, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--bind', data];
  const isolation = ['--unshare-user', '--unshare-pid', '--uid', '65532', '--gid', '65532', '--die-with-parent'];
  const inside = [...mounts, '/data', ...isolation, '--clearenv', ...environment, '--chdir', '/data'];
  const output = (...command: string[]): Promise<string> => run(bwrap, [...inside, ...command]);

  const { version } = readJson<{ version: string }>(join(root, 'package.json'));
  assert.match(await output(...config.Entrypoint, 'version'), new RegExp(version.replaceAll('.', '\\.'), 'u'));
  assert.match(await output('fairlead', 'version'), /^fairlead /u);
  assert.match(await output('git', 'version'), /^git version 2\./u);
  assert.match(await output('gpg', '--version'), /^gpg \(GnuPG\)/u);
  assert.match(await output('sh', '-c', 'ssh -V 2>&1'), /^OpenSSH/u);
  assert.match(await output('git', 'ls-remote', '--get-url', 'https://example.com/x.git'), /example\.com/u);

  const cluster = await startEmbeddedCluster({ nodes: 1 });
  t.after(() => cluster.close());
  writeFileSync(join(data, 'kubeconfig'), cluster.kubeconfig(), { mode: 0o600 });
  const controller = new Fairlead(
    ['controller', '--kubeconfig', '/data/kubeconfig', '--cache-dir', '/data/cache'],
    {},
    [bwrap, ...inside, ...config.Entrypoint],
  );
  t.after(() => controller.stop('SIGKILL'));
  await controller.line('working');
});
