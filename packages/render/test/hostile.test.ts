/** Hostile sources: each gets a clear error, within the limits, and the process renders the next one. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ApplicationSource } from '@fairlead/api';
import { createRenderPool, memoryTree, normalizePath, RenderError, type Tree } from '../src/index.ts';
import { tarOf } from './support/tar-writer.ts';

const pool = createRenderPool({ workers: 1, timeMs: 2_000, memoryMb: 256 });
/** For what other limits must stop, even on a slow machine. */
const patientPool = createRenderPool({ workers: 1, timeMs: 30_000, memoryMb: 256 });
after(() => Promise.all([pool.close(), patientPool.close()]));

type Files = Record<string, string | Uint8Array>;
const head = 'apiVersion: v2\nname: c\nversion: 1.0.0\n';
const chart = (template: string, more: Files = {}): Files => ({
  'Chart.yaml': head,
  'templates/a.yaml': template,
  ...more,
});
const overlay = (text: string, more: Files = {}): Files => ({ 'kustomization.yaml': text, ...more });
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

/** A tree must not be accessed with a path outside of it. */
function guarded(tree: Tree): Tree & { readonly asked: string[] } {
  const asked: string[] = [];
  const note = (path: string): string => {
    asked.push(path);
    return path;
  };
  return {
    asked,
    stat: (path) => tree.stat(note(path)),
    list: (dir) => tree.list(note(dir)),
    read: (path) => tree.read(note(path)),
  };
}

async function refusalOf(
  files: Files,
  source: Partial<ApplicationSource> = {},
  renderers = patientPool,
): Promise<RenderError> {
  const tree = guarded(memoryTree(files));
  const error = await renderers.render({ repoURL: 'x', path: '.', ...source }, tree).then(
    () => assert.fail('rendered'),
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof RenderError, `not an error of the source: ${(error as Error).stack}`);
  if (renderers === patientPool) assert.doesNotMatch(error.message, /took longer/);
  for (const path of tree.asked) assert.equal(normalizePath(path), path, 'a path inside of the tree');
  const next = await renderers.render({ repoURL: 'y', path: '.' }, memoryTree({ 'a.yaml': configMap }));
  assert.equal(next.manifests.length, 1, 'the next one is rendered');
  return error;
}

const bomb = (levels: number): string =>
  `${Array.from({ length: levels }, (_, i) =>
    i === 0 ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]' : `a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}]`,
  ).join('\n')}\n`;

/** A gzipped tar with one entry. */
const archive = (name: string, content: Buffer): Buffer => gzipSync(tarOf({ [name]: content }));

const cases: [title: string, files: Files, source: Partial<ApplicationSource>, message: RegExp][] = [
  // Paths.
  ['a path out of the tree', {}, { path: '../../etc' }, /app path outside root/],
  ['an absolute path', {}, { path: '/etc' }, /is absolute/],
  ['a value file out of the tree', chart(''), { helm: { valueFiles: ['../../../etc/passwd'] } }, /leads out/],
  [
    'an absolute value file stays in the tree',
    chart(''),
    { helm: { valueFiles: ['/etc/passwd'] } },
    /etc\/passwd: no such file or directory/,
  ],
  ['a pattern of value files out of the tree', chart(''), { helm: { valueFiles: ['../*'] } }, /leads out/],
  ['a file parameter out', chart(''), { helm: { fileParameters: [{ name: 'a', path: '../x' }] } }, /leads out/],
  ['a base out of the tree', overlay('resources: [../../x]'), {}, /leads out of the repository/],
  ['an absolute base', overlay('resources: [/etc]'), {}, /cannot be absolute/],
  [
    'a generator’s file out of the tree',
    overlay('configMapGenerator: [{name: a, files: [../../etc/passwd]}]'),
    {},
    /leads out/,
  ],
  [
    'a file outside of the kustomization',
    { 'k/kustomization.yaml': 'configMapGenerator: [{name: a, files: [../s]}]', s: '' },
    { path: 'k' },
    /is not in or below/,
  ],
  ['a patch out of the tree', overlay('patches: [{path: ../../p.yaml}]'), {}, /leads out/],
  ['a remote base', overlay('resources: ["https://example.com/o/r//x"]'), {}, /remote bases are not permitted/],
  [
    'a remote file',
    overlay('configMapGenerator: [{name: a, files: ["http://169.254.169.254/"]}]'),
    {},
    /remote files are not permitted here/,
  ],
  [
    'a plugin that is a program',
    overlay('generators: [g.yaml]', {
      'g.yaml':
        'apiVersion: x/v1\nkind: Evil\nmetadata:\n  name: a\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: /bin/sh}\n',
    }),
    {},
    /plugin/,
  ],
  [
    'a chart archive that leads out',
    chart('', { 'charts/x.tgz': archive('x/../../../etc/cron.d/x', Buffer.from('x')) }),
    {},
    /references parent directory|outside the base/,
  ],
  [
    'a chart archive with an absolute path',
    chart('', { 'charts/x.tgz': archive('x//etc/passwd', Buffer.from('x')) }),
    {},
    /absolute paths/,
  ],
  [
    'a chart archive that unpacks to a huge file',
    chart('', { 'charts/x.tgz': archive('x/Chart.yaml', Buffer.alloc(200 * 1024 * 1024)) }),
    {},
    /larger than the maximum size/,
  ],
  // Loops and blow-up in templates.
  [
    'a template that includes itself',
    chart('{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}'),
    {},
    /nested reference name: x/,
  ],
  [
    'templates that include each other',
    chart(
      '{{ define "x" }}{{ include "y" . }}{{ end }}{{ define "y" }}{{ include "x" . }}{{ end }}{{ include "x" . }}',
    ),
    {},
    /nested reference/,
  ],
  [
    'a template that calls itself',
    chart('{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}'),
    {},
    /exceeded maximum template depth|nested/,
  ],
  [
    'tpl of itself',
    chart('{{ tpl .Values.t . }}', { 'values.yaml': 't: "{{ tpl .Values.t . }}"\n' }),
    {},
    /nested|depth|deep/,
  ],
  [
    'includes that double',
    chart(
      `${Array.from({ length: 40 }, (_, i) => `{{ define "x${i}" }}{{ include "x${i + 1}" . }}{{ include "x${i + 1}" . }}{{ end }}`).join('')}{{ define "x40" }}y{{ end }}{{ include "x0" . }}`,
    ),
    {},
    /steps|longer than|characters/,
  ],
  ['until a thousand million', chart('{{ range until 1000000000 }}x{{ end }}'), {}, /items|elements|large|list/i],
  ['untilStep', chart('{{ range untilStep 0 1000000000 1 }}x{{ end }}'), {}, /items|elements|large|list/i],
  ['a range over a number', chart('{{ range 1000000000 }}{{ end }}'), {}, /steps|longer than/],
  ['repeat', chart('{{ repeat 1000000000 "xxxxxxxxxx" }}'), {}, /large|characters|size/i],
  [
    'repeat of repeat',
    chart('{{ $x := repeat 100000 "x" }}{{ $y := repeat 100000 $x }}{{ len $y }}'),
    {},
    /large|characters|size/i,
  ],
  [
    'text that doubles',
    chart('{{ $x := "xxxxxxxx" }}{{ range until 60 }}{{ $x = printf "%s%s" $x $x }}{{ end }}{{ len $x }}'),
    {},
    /large|characters|size/i,
  ],
  [
    'lists that double',
    chart('{{ $x := list 1 2 3 4 }}{{ range until 60 }}{{ $x = concat $x $x }}{{ end }}{{ len $x }}'),
    {},
    /large|items|elements|size/i,
  ],
  ['a wide printf', chart('{{ range until 1000 }}{{ printf "%999999d" 1 }}{{ end }}'), {}, /characters|memory/],
  ['indent of much', chart('{{ repeat 1000000 "\\n" | indent 100000 }}'), {}, /large|characters|size|memory/i],
  [
    'a dict that contains itself',
    chart('{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ toYaml $d }}{{ toJson $d }}{{ $d }}'),
    {},
    /deep|itself|cycle|large/i,
  ],
  ['a costly hash', chart('{{ range until 10000 }}{{ htpasswd "a" "b" }}{{ end }}'), {}, /longer than/],
  ['a costly pattern', chart('{{ regexMatch "(((((x{1,100}){1,100}){1,100}){1,100}){1,100})" "x" }}'), {}, /./],
  ['a sequence of everything', chart('{{ seq 1 1000000000 }}'), {}, /too long/],
  ['deep parentheses', chart(`{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`), {}, /./],
  ['deep ifs', chart(`${'{{ if true }}'.repeat(50_000)}x${'{{ end }}'.repeat(50_000)}`), {}, /./],
  [
    'a deep path of a parameter',
    chart(''),
    { helm: { parameters: [{ name: 'a.'.repeat(100_000), value: '1' }] } },
    /./,
  ],
  ['a huge index of a parameter', chart(''), { helm: { parameters: [{ name: 'a[999999999]', value: '1' }] } }, /./],
  // YAML.
  ['aliases that multiply', { 'a.yaml': `${configMap}${bomb(12)}` }, {}, /alias/i],
  ['aliases that multiply, in values', chart('', { 'values.yaml': bomb(12) }), {}, /alias/i],
  ['aliases that multiply, in options', chart(''), { helm: { values: bomb(12) } }, /alias/i],
  ['aliases that multiply, in a kustomization', overlay(bomb(12)), {}, /alias/i],
  [
    'aliases that multiply, in a resource',
    overlay('resources: [a.yaml]', { 'a.yaml': `${configMap}${bomb(12)}` }),
    {},
    /alias/i,
  ],
  ['an alias of itself', overlay('resources: [a.yaml]', { 'a.yaml': `${configMap}x: &x [*x]\n` }), {}, /./],
  ['an alias of itself, in values', chart('{{ toYaml .Values }}', { 'values.yaml': 'x: &x {y: *x}\n' }), {}, /./],
  ['deep nesting', { 'a.yaml': `${configMap}x: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n` }, {}, /depth|deep/],
  [
    'deep nesting, in values',
    chart('', { 'values.yaml': `x: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n` }),
    {},
    /depth|deep/,
  ],
  [
    'deep nesting, in a resource',
    overlay('resources: [a.yaml]', { 'a.yaml': `${configMap}x: ${'{a: '.repeat(100_000)}1${'}'.repeat(100_000)}\n` }),
    {},
    /depth|deep/,
  ],
  [
    'deep nesting of JSON',
    {
      'a.json': `{"apiVersion":"v1","kind":"X","metadata":{"name":"a"},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    },
    {},
    /./,
  ],
  [
    'deep block nesting',
    { 'a.yaml': `${configMap}${Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')}\n` },
    {},
    /depth|deep/,
  ],
  // Sizes.
  ['a huge manifest', { 'a.yaml': `${configMap}# ${'x'.repeat(11 * 1024 * 1024)}\n` }, {}, /larger than 10240 KiB/],
  [
    'a huge file in a chart',
    chart('{{ .Files.Get "x" }}', { x: Buffer.alloc(6 * 1024 * 1024, 'x') }),
    {},
    /larger than the maximum file size/,
  ],
  [
    'a huge file in a kustomization',
    overlay('configMapGenerator: [{name: a, files: [x]}]', { x: Buffer.alloc(30 * 1024 * 1024, 'x') }),
    {},
    /larger|too large/i,
  ],
  // Jsonnet.
  ['an endless program', { 'a.jsonnet': 'local f(x) = f(x + 1) tailstrict; f(0)' }, {}, /longer than|steps/],
  ['a program that calls itself', { 'a.jsonnet': 'local f(x) = f(x) + 1; f(0)' }, {}, /max stack frames/],
  [
    'a text that doubles, in Jsonnet',
    { 'a.jsonnet': 'local f(x, n) = if n == 0 then x else f(x + x, n - 1); f("xxxxxxxx", 60)' },
    {},
    /too large|characters/,
  ],
  ['a program that imports itself', { 'a.jsonnet': '(import "a.jsonnet").x' }, {}, /infinite recursion|max stack/],
  ['a deep program', { 'a.jsonnet': `${'['.repeat(50_000)}${']'.repeat(50_000)}` }, {}, /nested too deeply/],
  ['an import out of the tree', { 'a.jsonnet': 'importstr "../../etc/passwd"' }, {}, /leads out/],
  [
    'a library out of the tree',
    { 'a.jsonnet': '{}' },
    { directory: { jsonnet: { libs: ['../../etc'] } } },
    /leads out/,
  ],
  // Endless bases.
  ['a base that is itself', overlay('resources: [.]'), {}, /cycle detected/],
  [
    'bases in a circle',
    { 'a/kustomization.yaml': 'resources: [../b]', 'b/kustomization.yaml': 'resources: [../a]' },
    { path: 'a' },
    /cycle detected/,
  ],
  [
    'components in a circle',
    {
      'a/kustomization.yaml': 'components: [../b]',
      'b/kustomization.yaml': 'kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\ncomponents: [../b/../b]',
    },
    { path: 'a' },
    /cycle detected/,
  ],
  [
    'bases that double',
    Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `b${i}/kustomization.yaml`,
        i === 29 ? 'namePrefix: x-\nresources: [c.yaml]\n' : `resources: [../b${i + 1}, ../b${i + 1}/../b${i + 1}]\n`,
      ]).concat([['b29/c.yaml', configMap]]),
    ),
    { path: 'b0' },
    /already registered|longer than|may not add|ID/i,
  ],
  [
    'bases that double, with prefixes',
    Object.fromEntries(
      Array.from({ length: 26 }, (_, i) =>
        i === 25
          ? [
              ['b25/kustomization.yaml', 'resources: [c.yaml]\n'],
              ['b25/c.yaml', configMap],
            ]
          : [
              [`b${i}/kustomization.yaml`, `resources: [l, r]\n`],
              [`b${i}/l/kustomization.yaml`, `namePrefix: l-\nresources: [../../b${i + 1}]\n`],
              [`b${i}/r/kustomization.yaml`, `namePrefix: r-\nresources: [../../b${i + 1}]\n`],
            ],
      ).flat() as [string, string][],
    ),
    { path: 'b0' },
    /longer than|memory|too many|objects/i,
  ],
];
for (const [title, files, source, message] of cases) {
  test(`hostile: ${title}`, async () => {
    const timed = message.source.includes('longer than');
    assert.match((await refusalOf(files, source, timed ? pool : patientPool)).message, message);
  });
}

test('a symbolic link out of the tree is an error of the tree', async () => {
  const tree = memoryTree({ 'k/kustomization.yaml': 'resources: [link.yaml]' });
  const linked: Tree = {
    ...tree,
    async read(path) {
      if (path.endsWith('link.yaml')) throw new RenderError('PathOutsideTree', `${path}: leads out of the repository`);
      return tree.read(path);
    },
  };
  await assert.rejects(pool.render({ repoURL: 'x', path: 'k' }, linked), {
    reason: 'PathOutsideTree',
    message: /k\/link\.yaml: leads out/,
  });
});

test('recursion into a directory that contains itself is limited', async () => {
  const entry = { name: 'again', type: 'directory', id: 'same' } as const;
  const endless: Tree = {
    stat: async (path) =>
      path.endsWith('.yaml') || path.endsWith('ization') || path.endsWith('.yml') ? undefined : entry,
    list: async () => [entry],
    read: async () => undefined,
  };
  for (const options of [{ directory: { recurse: true } }, { helm: {} }]) {
    await assert.rejects(pool.render({ repoURL: 'x', path: 'a', ...options }, endless), { reason: 'TooLarge' });
  }
});
