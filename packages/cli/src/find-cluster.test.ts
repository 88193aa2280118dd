import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findCluster } from './find-cluster.ts';

const place = mkdtempSync(join(tmpdir(), 'fairlead-find-'));
after(() => rmSync(place, { recursive: true }));

function kubeconfig(path: string, server: string): string {
  const file = join(place, path);
  mkdirSync(join(file, '..'), { recursive: true });
  const context = (name: string, at: string) => [
    { name, context: { cluster: name } },
    { name, cluster: { server: at } },
  ];
  const [one, two] = [context('one', server), context('two', `${server}/two`)];
  writeFileSync(
    file,
    JSON.stringify({ 'current-context': 'one', contexts: [one[0], two[0]], clusters: [one[1], two[1]], users: [] }),
  );
  return file;
}

function instance(folder: string, server: string, pid: number): void {
  kubeconfig(join(folder, '.fairlead/kubeconfig'), server);
  mkdirSync(join(place, folder, '.fairlead/run'), { recursive: true });
  writeFileSync(join(place, folder, '.fairlead/run/owner'), `${pid}\n`);
}

const home = join(place, 'home');
kubeconfig('home/.kube/config', 'https://home');
const named = kubeconfig('named', 'https://named');
const fromVariable = kubeconfig('variable', 'https://variable');
instance('work', 'https://running', process.pid);
instance('stopped', 'https://stopped', 2 ** 22 + 1);
mkdirSync(join(place, 'work/deep/down'), { recursive: true });

const server = async (choice: object, env: Record<string, string>, from: string): Promise<string> =>
  (await findCluster(choice, { HOME: home, ...env }, join(place, from))).client.server;

test('order: flag, variable, instance here or in a parent folder, default of kubectl', async () => {
  assert.equal(await server({ kubeconfig: named }, { KUBECONFIG: fromVariable }, 'work'), 'https://named');
  assert.equal(
    await server({ dataDir: join(place, 'work/.fairlead') }, { KUBECONFIG: fromVariable }, '.'),
    'https://running',
  );
  assert.equal(await server({}, { KUBECONFIG: fromVariable }, 'work'), 'https://variable');
  assert.equal(await server({}, {}, 'work'), 'https://running');
  assert.equal(await server({}, {}, 'work/deep/down'), 'https://running');
  assert.equal(await server({}, { FAIRLEAD_DATA_DIR: join(place, 'work/.fairlead') }, '.'), 'https://running');
  assert.equal(await server({}, {}, '.'), 'https://home');
});

test('ignores an instance that does not run', async () => {
  assert.equal(await server({}, {}, 'stopped'), 'https://home');
});

test('a context belongs to the kubeconfig that is found', async () => {
  assert.equal(await server({ kubeconfig: named, context: 'two' }, {}, '.'), 'https://named/two');
  assert.equal(
    await server({ context: 'two' }, {}, 'work'),
    'https://home/two',
    'a context does not select the instance here',
  );
});

test('errors say what to do', async () => {
  await assert.rejects(
    server({ kubeconfig: join(place, 'none') }, {}, '.'),
    /kubeconfig .*none cannot be used: there is no kubeconfig at/,
  );
  await assert.rejects(
    server({ kubeconfig: named, context: 'three' }, {}, '.'),
    /has no context 'three'; it has 'two', 'one'/,
  );
  await assert.rejects(
    server({ dataDir: join(place, 'never') }, {}, '.'),
    /no instance was started on .*never: run fairlead up --data-dir/,
  );
  await assert.rejects(
    server({}, { HOME: place }, '.'),
    /no cluster found: .*start one with fairlead up, or name one with --kubeconfig FILE/,
  );
});
