import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ApplicationSource } from '@fairlead/api';
import { createManifestCache } from '../manifest-cache.ts';
import type { RenderContext } from '../source/render-context.ts';
import { renderSource } from '../source/render-source.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import { readPluginConfig } from './plugin-config.ts';
import { withPlugins } from './plugin-renderer.ts';
import { type Plugins, readPlugins } from './plugin-set.ts';
import type { CommandLimits } from './run-command.ts';

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'plugins-'));
  folders.push(made);
  return made;
};
after(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

const file = (name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'ConfigManagementPlugin', metadata: { name }, spec });
const sh = (script: string): object => ({ command: ['sh', '-c'], args: [script] });

async function plugins(
  files: Record<string, string>,
  limits?: Partial<CommandLimits>,
): Promise<Plugins & { runs: string }> {
  const [configs, runs] = [folder(), folder()];
  for (const [name, text] of Object.entries(files)) writeFileSync(join(configs, name), text);
  const options = { folder: runs, path: process.env['PATH'] ?? '', ...(limits ? { limits } : {}) };
  return Object.assign([...(await readPlugins(configs, options))], { runs });
}

const source = (change: Partial<ApplicationSource> = {}): ApplicationSource => ({
  repoURL: 'https://git.example/shop',
  path: 'app',
  targetRevision: 'main',
  ...change,
});
const tree = memoryTree({ 'app/values.txt': 'hello', 'app/deep/x.cue': '', 'other/a.txt': '' });
const context: RenderContext = {
  name: 'shop',
  namespace: 'web',
  project: 'default',
  revision: '0123456789abcdef0123456789abcdef01234567',
  kubeVersion: 'v1.30.2-gke.1',
  apiVersions: ['v1', 'apps/v1'],
};
/** Prints a ConfigMap with the environment of the plugin. */
const printing = `echo 'apiVersion: v1
kind: ConfigMap
metadata: {name: env}
data:'; env | grep -E '^(ARGOCD_|PARAM_|KUBE_|SECRET)' | sed -E "s/^([A-Z0-9_]+)=(.*)$/  \\1: '\\2'/"`;

test('a plugin is used by name, with the parameters and the environment of Argo CD', async () => {
  process.env['SECRET_OF_THE_CONTROLLER'] = 'x';
  const render = withPlugins(
    await plugins({ 'a.yaml': file('printer', { version: 'v1.0', generate: sh(printing) }) }),
    renderSource,
  );
  const plugin = {
    name: 'printer-v1.0',
    env: [{ name: 'GREETING', value: 'hello $ARGOCD_APP_NAME' }],
    parameters: [
      { name: 'image-tag', string: 'v1' },
      { name: 'hosts', array: ['a', 'b'] },
      { name: 'limits', map: { cpu: '1' } },
    ],
  };
  const { type, manifests } = await render(source({ plugin }), tree, context);
  assert.equal(type, 'Plugin');
  assert.deepEqual(manifests[0]?.object['data'], {
    ARGOCD_APP_NAME: 'shop',
    ARGOCD_APP_NAMESPACE: 'web',
    ARGOCD_APP_PROJECT_NAME: 'default',
    ARGOCD_APP_REVISION: '0123456789abcdef0123456789abcdef01234567',
    ARGOCD_APP_REVISION_SHORT: '0123456',
    ARGOCD_APP_REVISION_SHORT_8: '01234567',
    ARGOCD_APP_SOURCE_REPO_URL: 'https://git.example/shop',
    ARGOCD_APP_SOURCE_PATH: 'app',
    ARGOCD_APP_SOURCE_TARGET_REVISION: 'main',
    KUBE_VERSION: '1.30.2',
    KUBE_API_VERSIONS: 'v1,apps/v1',
    ARGOCD_ENV_GREETING: 'hello shop',
    ARGOCD_APP_PARAMETERS:
      '[{"name":"image-tag","string":"v1"},{"array":["a","b"],"name":"hosts"},{"map":{"cpu":"1"},"name":"limits"}]',
    PARAM_IMAGE_TAG: 'v1',
    PARAM_HOSTS_0: 'a',
    PARAM_HOSTS_1: 'b',
    PARAM_LIMITS_CPU: '1',
  });
});

test('commands run in a copy of the repository, in the folder of the source, which is deleted afterwards', async () => {
  const set = await plugins({
    'a.yaml': file('copy', {
      init: sh('echo prepared > made.txt'),
      generate: sh(
        `printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":{"n":"%s"}}' $(cat values.txt) "$(ls .. | tr '\\n' ' ')$(cat made.txt)"`,
      ),
    }),
  });
  const { manifests } = await withPlugins(set, renderSource)(source({ plugin: { name: 'copy' } }), tree, context);
  assert.deepEqual(
    manifests.map(({ object }) => [object.metadata.name, object['data']]),
    [['hello', { n: 'app other prepared' }]],
  );
  assert.deepEqual(readdirSync(set.runs), []);
});

test('a plugin is discovered by file name, glob or command, before the built-in types', async () => {
  const made = (name: string) => sh(`echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}}'`);
  const by = async (discover: object) => {
    const render = withPlugins(
      await plugins({ 'a.yaml': file('found', { generate: made('found'), discover }) }),
      renderSource,
    );
    const { type, manifests } = await render(source(), tree, context);
    return `${type} ${manifests.length}`;
  };
  assert.equal(await by({ fileName: 'val*.txt' }), 'Plugin 1');
  assert.equal(await by({ fileName: '*.cue' }), 'Directory 0', 'only in the folder itself');
  assert.equal(await by({ find: { glob: '**/*.cue' } }), 'Plugin 1');
  assert.equal(await by({ find: { glob: '**/*.txt' } }), 'Plugin 1', 'the folder itself too');
  assert.equal(await by({ find: { glob: '**/*.jsonnet' } }), 'Directory 0');
  assert.equal(await by({ find: { command: ['sh', '-c', 'ls deep'] } }), 'Plugin 1');
  assert.equal(await by({ find: { command: ['sh', '-c', 'true'] } }), 'Directory 0');
});

test('a name that no plugin has, or that does not support the source, is an error as in Argo CD', async () => {
  const generate = sh('true');
  const set = await plugins({
    'a.yaml': file('cue', { generate, discover: { fileName: 'missing' } }),
    'b.yaml': file('b', { generate }),
  });
  const render = withPlugins(set, renderSource);
  const fails = (plugin: object, expected: RegExp) =>
    assert.rejects(render(source({ plugin }), tree, context), expected);
  await fails(
    { name: 'other' },
    /could not find cmp-server plugin with name "other" supporting the given repository: the plugins are b, cue/u,
  );
  await fails({ name: 'cue' }, /could not find cmp-server plugin with name "cue" supporting the given repository$/u);
  await fails({}, /could not find plugin supporting the given repository/u);
});

test('a command that fails is an error with what it printed', async () => {
  const generate = sh('echo "no such chart" >&2; exit 3');
  const render = withPlugins(await plugins({ 'a.yaml': file('bad', { generate }) }), renderSource);
  await assert.rejects(
    render(source({ plugin: { name: 'bad' } }), tree, context),
    /error generating manifests in cmp: `sh -c echo .*` failed exit status 3: no such chart/u,
  );
});

test('a plugin that floods its output, forks or uses too much memory is ended, with all that it has started', async () => {
  const small = { timeMs: 60_000, outputBytes: 100_000, memoryBytes: 80 * 1024 ** 2, processes: 10 };
  const cases: [string, string, RegExp][] = [
    ['floods', 'yes', /it printed more than 100000 bytes/u],
    ['forks', 'for i in $(seq 40); do sleep 1234567 & done; wait', /it started more than 10 processes/u],
    ['grows', 'exec node -e "const a = []; setInterval(() => a.push(Buffer.alloc(2e7, 1)), 20)"', /of memory/u],
  ];
  const files = cases.map(([name, script]) => [`${name}.yaml`, file(name, { generate: sh(script) })]);
  const set = await plugins(Object.fromEntries(files), small);
  const render = withPlugins(set, renderSource);
  await Promise.all(
    cases.map(([name, , expected]) => assert.rejects(render(source({ plugin: { name } }), tree, context), expected)),
  );
  assert.deepEqual(readdirSync(set.runs), []);
  assert.equal(sleepers(), 0, 'nothing is left running');
});

test('a plugin that hangs is ended, also what has left its process group, and delays no other project', async () => {
  const set = await plugins(
    {
      'hangs.yaml': file('hangs', { generate: sh('sleep 1234567 & setsid sleep 1234567') }),
      'good.yaml': file('good', { generate: sh('true') }),
    },
    { timeMs: 4_000 },
  );
  const render = withPlugins(set, renderSource);
  const run = (name: string, project: string) => render(source({ plugin: { name } }), tree, { ...context, project });
  let isHanging = true;
  const ended = Promise.all(
    Array.from({ length: 8 }, () => assert.rejects(run('hangs', 'bad'), /it took longer than 4 s/u)),
  ).then(() => {
    isHanging = false;
  });
  await run('good', 'neighbour');
  assert.ok(isHanging, 'another project does not wait');
  await ended;
  assert.equal(sleepers(), 0, 'nothing is left running');
});

test('a process that is left in the background does not delay the result', async () => {
  const generate = sh(`sleep 1234568 & echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}'`);
  const set = await plugins({ 'a.yaml': file('daemon', { generate }) });
  const { manifests } = await withPlugins(set, renderSource)(source({ plugin: { name: 'daemon' } }), tree, context);
  assert.equal(manifests.length, 1);
  assert.equal(sleepers(), 0);
});

/** How many of the processes above still run. */
const sleepers = (): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((name) => commandOf(name).startsWith('sleep\x00123456')).length;

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test('a result is kept until a file or the revision changes', async () => {
  const generate = sh(`echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}'`);
  const cache = createManifestCache({
    renderer: withPlugins(await plugins({ 'a.yaml': file('one', { generate }) }), renderSource),
  });
  const asked = source({ plugin: { name: 'one' } });
  await cache.render('r', asked, tree, context);
  await cache.render('r', asked, tree, context);
  assert.equal(cache.renders, 1);
  await cache.render('r', asked, tree, { ...context, revision: 'f'.repeat(40) });
  assert.equal(cache.renders, 2);
});

test('an invalid file is refused with the same message as in Argo CD', () => {
  const refused = (text: string, expected: RegExp) => assert.throws(() => readPluginConfig(text), expected);
  refused('{}', /metadata\.name should be non-empty/u);
  refused('{kind: Plugin, metadata: {name: a}}', /kind should be ConfigManagementPlugin, found Plugin/u);
  refused(file('a', {}), /spec\.generate command should be non-empty/u);
  refused('a: [', /invalid plugin configuration file/u);
});
