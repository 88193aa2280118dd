/** Published advisories of Argo CD, Flux, Helm and Kustomize about rendering: docs/security/advisories.md lists them with these tests. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ApplicationSource } from '@fairlead/api';
import { createRenderPool, memoryTree, normalizePath, RenderError, type Tree } from '../src/index.ts';
import { tarOf } from './support/tar-writer.ts';

const pool = createRenderPool({ workers: 1, timeMs: 10_000, memoryMb: 256 });
after(() => pool.close());

type Files = Record<string, string | Uint8Array>;
type Helm = NonNullable<ApplicationSource['helm']>;
const metadata = 'apiVersion: v2\nname: c\nversion: 1.0.0\n';
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const chart = (more: Files = {}, template = configMap): Files => ({
  'Chart.yaml': metadata,
  'templates/a.yaml': template,
  ...more,
});
const packed = (files: Files): Buffer => gzipSync(tarOf(files));
/** The target of an attacker is next to the directory of the Application: reading it would be a leak. */
const secret = 'TOP-SECRET';

/** Renders one source and then a harmless one: a source must not end the process or a worker for good. */
async function outcome(files: Files, source: Partial<ApplicationSource>): Promise<string> {
  const tree = memoryTree(files);
  const asked: string[] = [];
  const noted = (path: string): string => {
    asked.push(path);
    return path;
  };
  const guarded: Tree = {
    stat: (path) => tree.stat(noted(path)),
    list: (dir) => tree.list(noted(dir)),
    read: (path) => tree.read(noted(path)),
  };
  const result = await pool.render({ repoURL: 'x', path: '.', ...source }, guarded).then(
    ({ manifests }) => JSON.stringify(manifests.map(({ object }) => object)),
    (error: unknown) => {
      assert.ok(error instanceof RenderError, `not an error of the source: ${error}`);
      return error.message;
    },
  );
  for (const path of asked) assert.equal(normalizePath(path), path, 'only paths inside the tree are read');
  const next = await pool.render({ repoURL: 'y', path: '.' }, memoryTree({ 'a.yaml': configMap }));
  assert.equal(next.manifests.length, 1, 'the next source is rendered');
  return result;
}

interface Case {
  readonly ids: string;
  readonly title: string;
  readonly files: Files;
  readonly source: Partial<ApplicationSource>;
  readonly refused: RegExp;
}

const withHelm = (helm: Helm, more: Files = {}): Pick<Case, 'files' | 'source'> => ({
  files: {
    's.yaml': secret,
    ...Object.fromEntries(Object.entries(chart(more)).map(([path, text]) => [`app/${path}`, text])),
  },
  source: { path: 'app', helm },
});

const leaves = /leads out of the repository/;
const paths: Case[] = [
  ...['../../etc/passwd', 'templates/../../../x', '..//..//proc/self/environ'].map((file) => ({
    ids: 'GHSA-63qx-x74g-jcr7 GHSA-r9cr-hvjj-496v',
    title: `value file ${file}`,
    ...withHelm({ valueFiles: [file] }),
    refused: leaves,
  })),
  ...['/etc/passwd', '//etc/passwd'].map((file) => ({
    ids: 'GHSA-63qx-x74g-jcr7 GHSA-r9cr-hvjj-496v',
    title: `the absolute value file ${file} is a path of the repository`,
    ...withHelm({ valueFiles: [file] }),
    refused: /no such file or directory|is absolute/,
  })),
  {
    ids: 'GHSA-63qx-x74g-jcr7',
    title: 'a value file with the scheme file',
    ...withHelm({ valueFiles: ['file:///etc/passwd'] }),
    refused: /file:\/\/|no such file|not (?:permitted|allowed)/,
  },
  {
    ids: 'GHSA-h6h5-6fmq-rh28',
    title: 'a file parameter outside the repository',
    ...withHelm({ fileParameters: [{ name: 'a', path: '../../../etc/passwd' }] }),
    refused: leaves,
  },
  ...['file:///etc', 'file://../../..'].map((repository) => ({
    ids: 'GHSA-6jqw-jwf5-rp8h',
    title: `the chart dependency ${repository}`,
    files: chart({
      'Chart.yaml': `${metadata}dependencies: [{name: d, version: 1.0.0, repository: "${repository}"}]\n`,
    }),
    source: {},
    refused: /leads out|outside|is absolute/,
  })),
  ...[
    'resources: [../../etc/passwd]',
    'configMapGenerator: [{name: a, files: [../../var/run/secrets/token]}]',
    'secretGenerator: [{name: a, envs: [../../etc/environment]}]',
    'patches: [{path: ../../p.yaml}]',
    'components: [../../c]',
    'openapi: {path: ../../o.json}',
    'crds: [../../c.yaml]',
    'configurations: [../../c.yaml]',
    'replacements: [{path: ../../r.yaml}]',
  ].map((text) => ({
    ids: 'GHSA-j77r-2fxf-5jrw',
    title: `the kustomization ${text}`,
    files: { 'k/kustomization.yaml': `${text}\n` },
    source: { path: 'k' },
    refused: leaves,
  })),
  {
    ids: 'GHSA-j77r-2fxf-5jrw',
    title: 'a file beside the kustomization',
    files: { 'k/kustomization.yaml': 'configMapGenerator: [{name: a, files: [../s.yaml]}]\n', 's.yaml': secret },
    source: { path: 'k' },
    refused: /is not in or below/,
  },
  {
    ids: 'GHSA-7pwf-jg34-hxwp',
    title: 'a base that is the kustomization itself',
    files: { 'kustomization.yaml': 'resources: [.]\n' },
    source: {},
    refused: /cycle detected/,
  },
  {
    ids: 'GHSA-7pwf-jg34-hxwp',
    title: 'bases that refer to each other',
    files: { 'a/kustomization.yaml': 'resources: [../b]\n', 'b/kustomization.yaml': 'resources: [../a]\n' },
    source: { path: 'a' },
    refused: /cycle detected/,
  },
];

/** Subcharts in archives: files that `helm` writes to disk are only in memory here. */
const archives: Case[] = [
  [
    'GHSA-xrxm-mvqm-r553',
    'an archive with a path outside of it',
    { 'd/../../../etc/cron.d/x': 'x' },
    /references parent|outside the base/,
  ],
  ['GHSA-xrxm-mvqm-r553', 'an archive with an absolute path', { 'd//etc/passwd': 'x' }, /absolute paths/],
  [
    'GHSA-4hfp-h4cw-hj8p',
    'an archive that is much larger unpacked',
    { 'd/Chart.yaml': Buffer.alloc(200 << 20) },
    /larger than the maximum size/,
  ],
].map(([ids, title, files, refused]) => ({
  ids: ids as string,
  title: title as string,
  files: chart({ 'charts/d.tgz': packed(files as Files) }),
  source: {},
  refused: refused as RegExp,
}));

const nested = (depth: number): string => `${'{"properties":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
const inputs: Case[] = [
  ...['a[999999999]=1', 'a[2147483647].b', 'a[9223372036854775807]'].map((name) => ({
    ids: 'GHSA-7hfp-qfw3-5jxh GHSA-p2g7-xwvr-rrw3',
    title: `the parameter ${name}`,
    files: chart(),
    source: { helm: { parameters: [{ name, value: '1' }] } },
    refused: /is greater than maximum|too large|out of range|invalid|illegal|unable to parse/i,
  })),
  {
    ids: 'GHSA-6rx9-889q-vv2r',
    title: 'a parameter of 100,000 levels',
    files: chart(),
    source: { helm: { parameters: [{ name: 'a.'.repeat(100_000), value: '1' }] } },
    refused: /nest|deep|levels/i,
  },
  {
    ids: 'GHSA-6rx9-889q-vv2r',
    title: 'lists of 100,000 levels in a parameter',
    files: chart(),
    source: { helm: { parameters: [{ name: `a${'[0]'.repeat(100_000)}`, value: '1' }] } },
    refused: /nest|deep|levels/i,
  },
  {
    ids: 'GHSA-5xqw-8hwv-wg92 GHSA-67fx-wx78-jx33',
    title: 'a schema of 50,000 levels',
    files: chart({ 'values.schema.json': nested(50_000) }),
    source: {},
    refused: /deep|depth|nest/i,
  },
  {
    ids: 'GHSA-jhqp-vf4w-rpwq',
    title: 'a manifest of 11 MiB',
    files: { 'a.yaml': `${configMap}# ${'x'.repeat(11 << 20)}\n` },
    source: {},
    refused: /larger than 10240 KiB/,
  },
  {
    ids: 'GHSA-r53h-jv2g-vpx6 GHSA-f9f8-9pmf-xv68',
    title: 'a Chart.yaml without content',
    files: { ...chart(), 'Chart.yaml': '' },
    source: { helm: {} },
    refused: /Chart\.yaml|chart\.metadata/,
  },
  {
    ids: 'GHSA-f9f8-9pmf-xv68',
    title: 'a Chart.yaml that is a list',
    files: { ...chart(), 'Chart.yaml': '- a\n' },
    source: { helm: {} },
    refused: /Chart\.yaml/,
  },
  ...['..', '.', '../x', 'a/../../b', '/etc'].map((name) => ({
    ids: 'GHSA-v53g-5gjp-272r GHSA-hr2v-4r36-88hr',
    title: `a dependency whose chart is named ${name}`,
    files: chart({
      'charts/d/Chart.yaml': `apiVersion: v2\nname: "${name}"\nversion: 1.0.0\n`,
      'charts/d/templates/a.yaml': configMap,
    }),
    source: {},
    refused: /is not a valid|invalid|chart\.metadata\.name/,
  })),
];

for (const { ids, title, files, source, refused } of [...paths, ...archives, ...inputs]) {
  test(`${ids}: ${title}`, async () => {
    const result = await outcome(files, source);
    assert.match(result, refused);
    assert.doesNotMatch(result, new RegExp(secret));
  });
}

test('GHSA-67fx-wx78-jx33 GHSA-9h84-qmv7-982p: a schema that refers to itself is validated', async () => {
  for (const schema of [
    '{"$ref":"#"}',
    '{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}',
  ]) {
    await outcome(chart({ 'values.schema.json': schema }), {});
  }
});

test('GHSA-9h84-qmv7-982p: references of a schema are neither read nor fetched', async (t) => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  for (const $ref of ['file:///dev/zero', `http://127.0.0.1:${port}/schema.json`]) {
    const schema = JSON.stringify({ properties: { a: { $ref } } });
    const files = chart({ 'values.schema.json': schema, 'values.yaml': 'a: 1\n' });
    assert.match(await outcome(files, {}), /"kind":"ConfigMap"/, $ref);
  }
  assert.deepEqual(requests, []);
});

test('GHSA-pwcw-6f5g-gxf8: getHostByName resolves nothing', async () => {
  const template = `${configMap}data: {a: {{ getHostByName "localhost" | quote }}}\n`;
  assert.match(await outcome(chart({}, template), {}), /"a":""/);
});

test('GHSA-q8q8-93cv-v6h8: lookup reads nothing from a cluster', async () => {
  const template = `${configMap}data: {a: {{ lookup "v1" "Secret" "kube-system" "x" | toJson | quote }}}\n`;
  assert.match(await outcome(chart({}, template), {}), /"a":"\{\}"/);
});

test('GHSA-557j-xg8c-q2mm: a Chart.yaml with shell text and a Chart.lock run nothing and write nothing', async () => {
  const files = chart({
    'Chart.yaml': `${metadata}description: "$(touch /tmp/x)"\ndependencies: [{name: d, version: 1.0.0, repository: ""}]\n`,
    'Chart.lock': '#!/bin/sh\ntouch /tmp/x\n',
    'charts/d/Chart.yaml': 'apiVersion: v2\nname: d\nversion: 1.0.0\n',
  });
  const before = JSON.stringify(files);
  await outcome(files, {});
  assert.equal(JSON.stringify(files), before);
});

test('GHSA-9vp5-m38w-j776: an alias of a dependency is a name and not a path', async () => {
  for (const alias of ['../x', '{{ .Values.a }}', 'a\u0000b', '/etc']) {
    const text = `${metadata}dependencies: [{name: d, version: 1.0.0, repository: "", alias: ${JSON.stringify(alias)}}]\n`;
    const files = chart({ 'Chart.yaml': text, 'charts/d/Chart.yaml': 'apiVersion: v2\nname: d\nversion: 1.0.0\n' });
    assert.match(await outcome(files, {}), /disallowed characters|invalid|Alias/i, alias);
  }
});
