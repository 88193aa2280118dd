/** Published advisories of Helm about its plugins. Fairlead runs none of them; its config management plugins are held to the same rules. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ApplicationSource } from '@fairlead/api';
import { createRenderPool, memoryTree, RenderError } from '../src/index.ts';
import { readPlugins, withPlugins } from '../src/plugins/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'plugins-advisories-'));
const marker = join(folder, 'marker');
const script = `#!/bin/sh\ntouch ${marker}\n`;
/** A plugin that Helm would run for every command, for addresses with the scheme `evil`, and after it is installed. */
const helmPlugin = JSON.stringify({
  name: 'evil',
  version: '1.0.0',
  command: `${folder}/helm/evil/run.sh`,
  hooks: { install: `touch ${marker}`, update: `touch ${marker}` },
  downloaders: [{ command: 'run.sh', protocols: ['evil'] }],
});
const home = join(folder, 'helm', 'evil');
mkdirSync(home, { recursive: true });
writeFileSync(join(home, 'plugin.yaml'), helmPlugin);
writeFileSync(join(home, 'run.sh'), script);
chmodSync(join(home, 'run.sh'), 0o755);
process.env['HELM_PLUGINS'] = join(folder, 'helm');

const pool = createRenderPool({ workers: 1, timeMs: 10_000, memoryMb: 256 });
after(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const metadata = 'apiVersion: v2\nname: c\nversion: 1.0.0\n';
const dependency = (repository: string): string =>
  `${metadata}dependencies: [{name: d, version: 1.0.0, repository: "${repository}"}]\n`;

/** The message of the refusal, or the manifests. */
const outcome = (files: Record<string, string>, source: Partial<ApplicationSource> = {}): Promise<string> =>
  pool.render({ repoURL: 'x', path: '.', ...source }, memoryTree(files)).then(
    ({ manifests }) => JSON.stringify(manifests.map(({ object }) => object)),
    (error: unknown) => {
      assert.ok(error instanceof RenderError, String(error));
      return error.message;
    },
  );

const helmAdvisories =
  'GHSA-m54r-vrmv-hw33 GHSA-c52f-pq47-2r9j GHSA-qq3j-xp49-j73f GHSA-q5jf-9vfq-h4h7 GHSA-vmx8-mqv2-9gmg';

test(`${helmAdvisories}: a plugin of Helm is never run, neither an installed one nor that of a chart`, async () => {
  const chart = { 'Chart.yaml': metadata, 'templates/a.yaml': configMap, 'plugin.yaml': helmPlugin, 'run.sh': script };
  assert.match(await outcome(chart), /"kind":"ConfigMap"/u, 'a plugin beside a chart is a file');
  const refused: [Record<string, string>, Partial<ApplicationSource>][] = [
    [chart, { helm: { valueFiles: ['evil://values.yaml'] } }],
    [chart, { helm: { valueFiles: ['secrets://values.yaml'] } }],
    [chart, { helm: { fileParameters: [{ name: 'a', path: 'evil://file' }] } }],
    [{ ...chart, 'Chart.yaml': dependency('evil://charts') }, {}],
    [{ ...chart, 'Chart.yaml': dependency('@evil') }, {}],
  ];
  for (const [files, source] of refused) {
    assert.match(await outcome(files, source), /evil|secrets|charts\/ directory/u);
    assert.doesNotMatch(await outcome(files, source), /"kind":"ConfigMap"/u);
  }
  assert.ok(!existsSync(marker), 'no command of a plugin was run');
});

const plugin = (more: string): string => `kind: ConfigManagementPlugin\n${more}`;
const generate = (text: string): string => `spec: {version: v1, generate: {command: [sh, -c, "${text}"]}}\n`;

/** The plugins of a folder with one file, and the folder in which they run. */
async function read(text: string) {
  const [configs, runs] = ['configs-', 'runs-'].map((name) => mkdtempSync(join(folder, name)));
  writeFileSync(join(configs ?? '', 'a.yaml'), text);
  return readPlugins(configs ?? '', { folder: runs ?? '', path: process.env['PATH'] ?? '' });
}

test('GHSA-m54r-vrmv-hw33 GHSA-qq3j-xp49-j73f GHSA-vmx8-mqv2-9gmg: name and version of a plugin are no paths', async () => {
  for (const value of ['../../x', '/etc/x', 'a/../../b', '..', '.', 'a\\0b', 'a\\e[31mb', 'a b']) {
    const name = plugin(`metadata: {name: "${value}"}\n${generate('true')}`);
    await assert.rejects(read(name), /metadata\.name should have/u, value);
    const version = plugin(`metadata: {name: a}\nspec: {version: "${value}", generate: {command: [sh]}}\n`);
    await assert.rejects(read(version), /spec\.version should have/u, value);
  }
  assert.equal((await read(plugin(`metadata: {name: cue_2.x}\n${generate('true')}`)))[0]?.name, 'cue_2.x-v1');
});

test('GHSA-c52f-pq47-2r9j: a plugin file with a field twice is refused', async () => {
  const twice = `metadata: {name: a}\n${generate('true')}${generate(`touch ${marker}`)}`;
  await assert.rejects(read(plugin(twice)), /already set in map/u);
});

test('GHSA-q5jf-9vfq-h4h7: a plugin comes from the folder of the operator, never from a repository', async () => {
  const own = plugin(`metadata: {name: evil}\n${generate(`touch ${marker}`)}`);
  const files = { 'plugin.yaml': own, 'a.yaml': configMap };
  const render = withPlugins(await read(plugin(`metadata: {name: own}\n${generate('true')}`)), pool.render);
  for (const name of ['evil', 'evil-v1', '../plugin.yaml']) {
    const source = { repoURL: 'x', path: '.', plugin: { name } };
    await assert.rejects(render(source, memoryTree(files)), RenderError, name);
  }
  assert.ok(!existsSync(marker));
});
