import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManifestCache } from '../manifest-cache.ts';
import { RenderError } from '../render-error.ts';
import { type FetchRemote, keyOfRemote } from '../source/remotes.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import { renderChart, templateOutput } from './index.ts';

type Files = Record<string, string>;

const template = (text: string): string =>
  `# {{ .Chart.Name }} {{ .Chart.Version }}: ${text}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n`;
const packed = (name: string, version: string, extra: Files = {}): Files => ({
  'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n`,
  'values.yaml': 'size: 1\n',
  'templates/a.yaml': template('size {{ .Values.size }}'),
  ...extra,
});
const parent = (dependencies: string, extra: Files = {}): Files => ({
  'app/Chart.yaml': `apiVersion: v2\nname: app\nversion: 0.1.0\ndependencies: [${dependencies}]\n`,
  'app/values.yaml': 'redis: {size: 7}\n',
  ...extra,
});

/** A repository whose charts are returned for any version. */
function repository(charts: Record<string, Files>): FetchRemote & { asked: string[] } {
  const asked: string[] = [];
  const fetch: FetchRemote = async (request) => {
    assert.equal(request.kind, 'chart');
    asked.push(keyOfRemote(request));
    const files = charts[request.kind === 'chart' ? request.name : ''];
    if (!files) throw new RenderError('Unsupported', 'not permitted');
    return memoryTree(files);
  };
  return Object.assign(fetch, { asked });
}

const render = async (files: Files, fetchRemote?: FetchRemote): Promise<string[]> => {
  const rendered = await renderChart(memoryTree(files), 'app', fetchRemote ? { fetchRemote } : {});
  return [...templateOutput(rendered).matchAll(/^# Source: .*\n# (.*)$/gmu)].map(([, line]) => line!);
};

const redis = '{name: redis, version: "^17", repository: "https://charts"}';

test('a dependency that is not in charts/ is fetched at a version in its range', async () => {
  const fetch = repository({ redis: packed('redis', '17.3.1') });
  assert.deepEqual(await render(parent(redis), fetch), ['redis 17.3.1: size 7']);
  assert.deepEqual(
    fetch.asked.map((key) => JSON.parse(key)),
    [{ kind: 'chart', repository: 'https://charts', name: 'redis', version: '^17' }],
  );
});

test('a dependency in charts/ is not fetched', async () => {
  const inside = Object.fromEntries(
    Object.entries(packed('redis', '17.0.0')).map(([file, text]) => [`app/charts/redis/${file}`, text]),
  );
  const fetch = repository({});
  assert.deepEqual(await render(parent(redis, inside), fetch), ['redis 17.0.0: size 7']);
  assert.deepEqual(fetch.asked, []);
});

test('a lock file determines the version; a lock file that is out of sync is an error', async () => {
  const lock = (version: string, repo = 'https://charts'): Files => ({
    'app/Chart.lock': `dependencies:\n- name: redis\n  repository: ${repo}\n  version: ${version}\ndigest: sha256:0\n`,
  });
  const fetch = repository({ redis: packed('redis', '17.1.0') });
  await render(parent(redis, lock('17.1.0')), fetch);
  assert.equal(JSON.parse(fetch.asked[0]!).version, '17.1.0');
  for (const stale of [lock('16.0.0'), lock('17.1.0', 'https://elsewhere'), { 'app/Chart.lock': 'dependencies: []\n' }])
    await assert.rejects(render(parent(redis, stale), fetch), {
      reason: 'MissingDependency',
      message: /^app\/Chart\.lock is out of sync with Chart\.yaml: .* for redis \^17 of https:\/\/charts: run/,
    });
});

test('aliases, conditions and two versions of one chart are supported', async () => {
  const fetch = repository({ redis: packed('redis', '17.3.1') });
  const files = parent(
    '{name: redis, alias: cache, version: ^17, repository: "https://charts"}, {name: redis, alias: other, version: ^17, repository: "https://charts", condition: other.enabled}',
    { 'app/values.yaml': 'cache: {size: 3}\nother: {enabled: false}\n' },
  );
  assert.deepEqual(await render(files, fetch), ['cache 17.3.1: size 3']);
});

test('a dependency may be a directory of the repository', async () => {
  const library = Object.fromEntries(
    Object.entries(packed('lib', '1.2.0')).map(([file, text]) => [`libs/lib/${file}`, text]),
  );
  const files = (version: string, at = 'file://../libs/lib'): Files =>
    parent(`{name: lib, version: "${version}", repository: "${at}"}`, library);
  assert.deepEqual(await render(files('1.x')), ['lib 1.2.0: size 1']);
  await assert.rejects(render(files('2.x')), /chart dependency lib 2\.x of file:.*found version 1\.2\.0/);
  await assert.rejects(render(files('1.x', 'file://../libs/none')), /there is no folder libs\/none/);
  await assert.rejects(render(files('1.x', 'file:///etc')), { reason: 'PathOutsideTree' });
  await assert.rejects(render(files('1.x', 'file://../../..')), { reason: 'PathOutsideTree' });
});

test('a fetched library can read the files of the chart that uses it', async () => {
  const fetch = repository({
    lib: {
      'Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n',
      'templates/_h.tpl': '{{ define "lib.config" }}{{ .Files.Get "settings.txt" }}{{ end }}',
    },
  });
  const files = parent('{name: lib, version: 1.0.0, repository: "https://charts"}', {
    'app/settings.txt': 'on',
    'app/templates/b.yaml': template('{{ include "lib.config" . }}'),
  });
  assert.deepEqual(await render(files, fetch), ['app 0.1.0: on']);
});

test('a fetch error names dependency, version and repository', async () => {
  const named = /chart dependency redis \^17 of https:\/\/charts/;
  await assert.rejects(render(parent(redis)), {
    reason: 'MissingDependency',
    message: /missing in charts\/ directory: redis \^17 of https:\/\/charts: run/,
  });
  await assert.rejects(render(parent(redis), repository({})), { reason: 'Unsupported', message: named });
  await assert.rejects(render(parent(redis), repository({ redis: packed('other', '17.0.0') })), named);
  await assert.rejects(
    render(parent('{name: redis, version: ^17}'), repository({})),
    /missing in charts\/ directory: redis \^17: commit/,
  );
});

test('a new version in the range causes a render; the same version does not', async () => {
  let version = '17.0.0';
  const fetchRemote: FetchRemote = async () => memoryTree(packed('redis', version));
  const cache = createManifestCache();
  const source = { repoURL: 'x', path: 'app' };
  const tree = memoryTree(parent(redis));
  await cache.render('r', source, tree, { fetchRemote });
  await cache.render('r', source, tree, { fetchRemote });
  assert.equal(cache.renders, 1);
  version = '17.0.1';
  await cache.render('r', source, tree, { fetchRemote });
  assert.equal(cache.renders, 2);
});
