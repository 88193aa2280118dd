import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Manifest } from '@fairlead/render';
import { commitMessageOf, defaultTemplates, hydratedFiles, pathsRead } from './hydrated-files.ts';

const sha = '0123456789abcdef0123456789abcdef01234567';
const message = 'first version\n\nWith a body.\n';
const metadata = { author: 'Ann <ann@example.com>', date: 0, message, tags: [] };
const dry = { repoURL: 'https://git.example/shop', sha, metadata };
const manifest = (n: number): Manifest => ({
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, spec: { n, list: ['x'] } },
  origin: { path: '', line: 1 },
});
const folder = (path: string, ...numbers: number[]) => ({ path, manifests: numbers.map(manifest) });
const files = (folders: ReturnType<typeof folder>[], present: Record<string, string> = {}) =>
  hydratedFiles(folders, dry, 'https://git.example/deploy', defaultTemplates, (path) => present[path]);

test('each folder has its manifests as YAML, a README and metadata; the branch has the description of the dry commit', () => {
  const made = files([folder('apps/web/', 1_000_000, 2)]);
  assert.deepEqual(pathsRead([folder('apps/web/', 1)]), ['apps/web/manifest.yaml']);
  const text = (n: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\nspec:\n  list:\n    - x\n  "n": ${n}\n`;
  assert.equal(made?.get('apps/web/manifest.yaml'), `${text('1000000')}---\n${text('2')}`);
  assert.match(made?.get('apps/web/README.md') ?? '', new RegExp(`git checkout ${sha}`, 'u'));
  assert.deepEqual(JSON.parse(made?.get('hydrator.metadata') ?? ''), {
    repoURL: 'https://git.example/deploy',
    drySha: sha,
    author: 'Ann <ann@example.com>',
    date: '1970-01-01T00:00:00Z',
    subject: 'first version',
    body: 'With a body.',
  });
});

test('folders whose manifests are unchanged are left alone, and without a change there is no commit', () => {
  const [web, api] = [folder('web', 1), folder('api', 1)];
  const before = Object.fromEntries(files([web, api]) ?? []);
  assert.equal(files([web, api], before), undefined);
  assert.deepEqual([...(files([folder('web', 2), api], before)?.keys() ?? [])].sort(), [
    '.gitattributes',
    'hydrator.metadata',
    'web/README.md',
    'web/hydrator.metadata',
    'web/manifest.yaml',
  ]);
});

test('the message of a commit is a Go template', () => {
  assert.equal(
    commitMessageOf(dry, defaultTemplates),
    '0123456: first version\n\nWith a body.\n\nCo-authored-by: Ann <ann@example.com>\n',
  );
  const commitMessage = 'hydrate {{ .metadata.repoURL }} {{ .metadata.drySha | trunc 4 | upper }}';
  assert.equal(commitMessageOf(dry, { ...defaultTemplates, commitMessage }), 'hydrate https://git.example/shop 0123');
});
