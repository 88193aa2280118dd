import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { runCommand, temporaryFolder } from '../test/support/fairlead-process.ts';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
const overlay = join(examples, 'kustomize/overlays/production');
const chart = join(examples, 'helm/web');
const folder = temporaryFolder();
after(() => folder.remove());

/** The output of a successful call. */
async function rendered(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['render', ...args]);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  return stdout;
}

/** Nothing on standard output, one sentence on standard error, exit code 1. */
async function refused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['render', ...args]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^fairlead: /);
  return stderr.slice('fairlead: '.length).trimEnd();
}

interface Found {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Record<string, string>;
  readonly spec?: { readonly replicas?: number };
}
const documents = (text: string): Found[] => parseAllDocuments(text).map((document) => document.toJS() as Found);
const names = (objects: readonly Found[]): string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();

function write(files: Record<string, string>, below: string): string {
  const place = join(folder.path, below);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(place, name, '..'), { recursive: true });
    writeFileSync(join(place, name), content);
  }
  return place;
}
const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

test('a directory, as YAML', async () => {
  assert.deepEqual(names(documents(await rendered(join(examples, 'plain')))), [
    'ConfigMap web',
    'Deployment web',
    'Service web',
  ]);
});

test('a kustomization, as YAML', async () => {
  const objects = documents(await rendered(overlay));
  assert.deepEqual(names(objects), [
    'ConfigMap production-web-t29kgbc5m9',
    'Deployment production-web',
    'Service production-web',
  ]);
  assert.equal(objects.find(({ kind }) => kind === 'Deployment')?.spec?.replicas, 2);
});

test('a chart, as Helm prints it', async () => {
  const text = await rendered(chart, '--release-name', 'shop', '-f', 'values-production.yaml', '--set', 'greeting=hi');
  assert.match(text, /^---\n# Source: web\/templates\/settings\.yaml\n/);
  const objects = documents(text).filter(Boolean);
  assert.deepEqual(names(objects), ['ConfigMap shop', 'Deployment shop', 'Service shop']);
  assert.deepEqual(objects[0]?.data, { GREETING: 'hi' });
  assert.equal(objects[2]?.spec?.replicas, 2);
});

test('value files are relative to the chart, or to the working directory', async () => {
  const place = write({ 'mine.yaml': 'greeting: from here\n' }, 'values');
  cpSync(chart, join(place, 'web'), { recursive: true });
  const { stdout } = await runCommand(['render', 'web', '--root', '.', '-f', 'mine.yaml'], { cwd: place });
  assert.match(stdout, /GREETING: "from here"/);
  const outside = await runCommand(['render', 'web', '-f', 'mine.yaml'], { cwd: place });
  assert.equal(outside.code, 1);
  assert.match(outside.stderr, /^fairlead: value file mine\.yaml is outside of .*: set --root/);
  assert.match(await refused(join(place, 'web'), '-f', 'none.yaml'), /^open none\.yaml: no such file or directory/);
});

test('-o json is one list, -o objects a table', async () => {
  const list: Found[] = JSON.parse(await rendered(chart, '-o', 'json', '--release-name', 'shop'));
  assert.deepEqual(names(list), ['ConfigMap shop', 'Deployment shop', 'Service shop']);
  assert.equal(
    await rendered(join(examples, 'plain'), '--output', 'objects'),
    'KIND         NAMESPACE   NAME   API VERSION\n' +
      'Deployment               web    apps/v1\n' +
      'Service                  web    v1\n' +
      'ConfigMap                web    v1\n',
  );
  assert.equal(await refused(chart, '-o', 'xml'), 'invalid -o xml: use yaml, json or objects');
});

test('a kustomization with the options of an Application, in every output format', async () => {
  const list: Found[] = JSON.parse(await rendered(overlay, '-o', 'json'));
  assert.deepEqual(names(list), [
    'ConfigMap production-web-t29kgbc5m9',
    'Deployment production-web',
    'Service production-web',
  ]);
  const text = await rendered(overlay, '--name-prefix', 'a-', '--name-suffix=-z', '--image', 'nginx=caddy:2');
  assert.match(text, /name: a-web-z\n/);
  assert.match(text, /image: caddy:2\n/);
  assert.match(await rendered(overlay, '-o', 'objects'), /^Deployment +production-web +apps\/v1$/m);
});

test('selects files of a directory', async () => {
  const place = write({ 'a.yaml': configMap('a'), 'b.yaml': configMap('b'), 'below/c.yaml': configMap('c') }, 'files');
  assert.deepEqual(names(documents(await rendered(place))), ['ConfigMap a', 'ConfigMap b']);
  assert.deepEqual(names(documents(await rendered(place, '--recurse', '--exclude', 'b.yaml'))), [
    'ConfigMap a',
    'ConfigMap c',
  ]);
  assert.deepEqual(names(documents(await rendered(place, '--include', 'b.yaml'))), ['ConfigMap b']);
});

test('an error names the file and the expression', async () => {
  const place = write({ 'a.yaml': `${configMap('a')}---\nname: b\n` }, 'broken-manifest');
  assert.equal(
    await refused(place),
    `Failed to unmarshal "a.yaml": failed to unmarshal manifest: error unmarshaling JSON: while decoding JSON: Object 'Kind' is missing in '{"name":"b"}'`,
  );
  const template = write(
    {
      'Chart.yaml': 'apiVersion: v2\nname: broken\nversion: 1.0.0\n',
      'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.deep.er }}\n',
    },
    'broken-chart',
  );
  assert.match(await refused(template), /broken\/templates\/a\.yaml:4:\d+.*<\.Values\.deep\.er>/);
  const kustomization = write({ 'kustomization.yaml': 'resources: [none.yaml]\n' }, 'broken-kustomization');
  assert.match(await refused(kustomization), /none\.yaml/);
});

test('reads nothing outside of the root, which --root sets', async () => {
  const place = write({ 'base/kustomization.yaml': 'resources: [a.yaml]\n', 'base/a.yaml': configMap('a') }, 'reach');
  write({ 'kustomization.yaml': 'resources: [../base]\n' }, 'reach/overlay');
  assert.match(await refused(join(place, 'overlay')), /--root DIR sets the folder that may be read$/);
  assert.match(await rendered(join(place, 'overlay'), '--root', place), /name: a\n/);
  mkdirSync(join(place, 'linked'));
  symlinkSync('../base/a.yaml', join(place, 'linked/a.yaml'));
  assert.match(await refused(join(place, 'linked')), /leads out of the folder/);
  assert.match(await refused(place, '--root', join(place, 'base')), /is not inside --root/);
});

test('rejects a missing folder and an unknown option', async () => {
  assert.match(await refused(join(folder.path, 'nowhere')), /is not a folder: use the folder with the manifests$/);
  assert.match(await refused(), /^usage: fairlead render PATH/);
  assert.match(await refused(chart, '--bogus'), /'--bogus'.*: see fairlead help$/);
});
