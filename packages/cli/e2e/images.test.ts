/** The demo registry and the image commands, as a user types them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, Fairlead, run, runCommand, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const folder = temporaryFolder();
const at = ['--data-dir', folder.path];
let instance: Fairlead;
let api: Awaited<ReturnType<typeof connect>>;

async function start(): Promise<void> {
  instance = new Fairlead(['up', ...at]);
  await instance.line('ready');
  api = await connect(join(folder.path, 'kubeconfig'));
}

before(start);
after(async () => {
  await api.close();
  await instance.stop();
  folder.remove();
});

const images = async (): Promise<readonly string[]> =>
  (await api.application('storefront'))?.status?.summary?.images ?? [];
const fairlead = (...args: string[]) => runCommand([...args, ...at]);
/** Waits until the Application runs this image alone: Pods of the last release end after the rollout has finished. */
const runsOnly = (image: string): Promise<number> =>
  until(
    async () => (await images()).join() === image,
    30_000,
    async () => (await images()).join(),
  );

test('a pushed image is committed, synced and live', async () => {
  await until(
    async () => (await images()).includes('registry.demo.local/web:1.1.0'),
    60_000,
    images as () => Promise<never>,
  );
  const { code, stdout, stderr } = await fairlead('demo', 'push', 'web', '1.2.0');
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /pushed registry\.demo\.local\/web:1\.2\.0.*\n.*(\d+) of \1 nodes have registry\.demo\.local\/web:1\.2\.0.*\n.*commit [0-9a-f]{10} for storefront\n.*synced\n.*web:1\.2\.0 is live in storefront\n$/su,
  );
  await runsOnly('registry.demo.local/web:1.2.0');
  const log = await run('git', ['log', '-1', '--format=%an: %B', 'main'], {
    cwd: join(folder.path, 'git', 'demo.git'),
  });
  assert.match(
    log,
    /^Fairlead: build: automatic update of storefront\n\nupdates image web tag '1\.1\.0' to '1\.2\.0'/u,
  );
});

test('explain shows the decision on each tag', async () => {
  const pushed = await fairlead('demo', 'push', 'web', '2.0.0', '--async');
  assert.equal(pushed.code, 0, pushed.stderr);
  assert.equal((await fairlead('demo', 'push', 'web', 'nightly', '--async')).code, 0);
  const { code, stdout } = await fairlead('image', 'explain', 'storefront', '--all-tags');
  assert.equal(code, 0);
  for (const line of [
    /1\.2\.0 +chosen +newest by semver/u,
    /1\.1\.0 +kept +older than 1\.2\.0/u,
    /2\.0\.0 +dropped +outside of \^1/u,
    /nightly +dropped +not a version/u,
    /→ 1\.2\.0 is the newest/u,
  ]) {
    assert.match(stdout, line);
  }
  assert.deepEqual(await images(), ['registry.demo.local/web:1.2.0']);
});

test('tests a rule without a cluster, and renders a template', async () => {
  const conf = join(folder.path, 'registries.conf');
  const port = /demo registry (http:\/\/127\.0\.0\.1:\d+)/u.exec(instance.output)?.[1];
  writeFileSync(
    conf,
    `registries:\n- name: demo\n  prefix: demo\n  api_url: ${port}\n- name: hub\n  prefix: docker.io\n  api_url: https://registry-1.docker.io\n  default: true\n`,
  );
  const found = await runCommand([
    'image',
    'test',
    'demo.local/web',
    '--registries-conf',
    conf.replace('registries', 'missing'),
  ]);
  assert.equal(found.code, 1);
  assert.match(found.stderr, /cannot be read/u);
  writeFileSync(conf, `registries:\n- name: demo\n  prefix: demo.local\n  api_url: ${port}\n`);
  const chosen = await runCommand([
    'image',
    'test',
    'demo.local/web',
    '--registries-conf',
    conf,
    '--ignore-tags',
    '2.*',
  ]);
  assert.equal(chosen.code, 0, chosen.stderr);
  assert.match(chosen.stdout, /\n1\.2\.0\n$/u);
  const wrong = await runCommand(['image', 'test', 'demo.local/web:^^1', '--registries-conf', conf]);
  assert.match(wrong.stderr, /is not a version constraint/u);
  const template = join(folder.path, 'commit.tpl');
  writeFileSync(template, 'update {{ .AppName }}{{ range .AppChanges }} {{ .Image }}{{ end }}');
  assert.equal(
    (await runCommand(['image', 'template', template])).stdout,
    'update example-app example/example example/updater\n',
  );
  writeFileSync(template, '{{ .AppName');
  assert.match((await runCommand(['image', 'template', template])).stderr, /template of the commit message/u);
});

test('a dry run of one cycle changes nothing', async () => {
  const conf = join(folder.path, 'registries.conf');
  const port = /demo registry (http:\/\/127\.0\.0\.1:\d+)/u.exec(instance.output)?.[1];
  writeFileSync(conf, `registries:\n- name: demo\n  prefix: registry.demo.local\n  api_url: ${port}\n`);
  const { code, stdout, stderr } = await fairlead('image', 'run', '--once', '--dry-run', '--registries-conf', conf);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\d+ applications, 0 images would be updated, 0 errors\n$/u);
});

test('after a restart the registry still has its images, and the next push goes live', async () => {
  await api.close();
  await instance.stop();
  await start();
  const { code, stdout, stderr } = await fairlead('demo', 'push', 'web', '1.3.0');
  assert.equal(code, 0, `${stdout}${stderr}`);
  await runsOnly('registry.demo.local/web:1.3.0');
  assert.match((await fairlead('image', 'explain', 'storefront')).stdout, /1\.1\.0 +kept/u);
});

test('errors are one sentence', async () => {
  assert.match((await fairlead('demo', 'push', 'Web', '1.0')).stderr, /invalid image name Web/u);
  assert.match((await fairlead('demo', 'push', 'web', 'a b')).stderr, /invalid tag/u);
  assert.match(
    (await runCommand(['demo', 'push', 'web', '1', '--data-dir', join(folder.path, 'none')])).stderr,
    /no running demo found/u,
  );
  assert.match((await fairlead('image', 'explain', 'web')).stderr, /has no images to update/u);
});
