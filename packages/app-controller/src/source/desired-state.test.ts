import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplicationSource, AppProject } from '@fairlead/api';
import { createManifestCache, memoryTree, RenderError, type Tree } from '@fairlead/render';
import type { ReconcileEnv } from '../reconcile-env.ts';
import { keepUnchanged, loadDesiredState, type RenderTarget } from './desired-state.ts';
import { FailedRenders } from './failed-renders.ts';

const project: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'team', namespace: 'argocd' },
  spec: { sourceRepos: ['https://h/*'] },
};
const renderTarget: RenderTarget = {
  project,
  name: 'shop',
  namespace: 'web',
  kubeVersion: 'v1.30.0',
  apiVersions: ['a/v1'],
};

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
  'templates/a.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }}}
data: {kube: {{ .Capabilities.KubeVersion.Version }}, has: {{ .Capabilities.APIVersions.Has "a/v1" | quote }}, v: {{ .Values.v | quote }}}
`,
};

/** Repositories of files, each at its newest commit; requests are recorded. */
class Repositories {
  readonly #files = new Map<string, { revision: number; tree: Tree }>();
  readonly credentials: (string | undefined)[] = [];
  readonly trees: string[] = [];
  readonly env: Pick<ReconcileEnv, 'sources' | 'manifests' | 'failures' | 'access'> = {
    failures: new FailedRenders({ now: () => 0 }),
    manifests: createManifestCache(),
    access: { credentialsFor: (url, name) => ({ name: `${name} ${url}` }), repositoryNamed: () => undefined },
    sources: {
      resolve: async ({ repoURL }, _, ask) => {
        this.credentials.push(ask?.credentials?.name);
        return String(this.#files.get(repoURL)!.revision);
      },
      tree: async ({ repoURL }) => {
        this.trees.push(repoURL);
        return this.#files.get(repoURL)!.tree;
      },
      file: async (url) => this.#files.get(url)!.tree,
      keyOf: ({ repoURL }) => repoURL,
      onChange: () => () => {},
    },
  };

  push(url: string, files: Record<string, string>): void {
    this.#files.set(url, { revision: (this.#files.get(url)?.revision ?? 0) + 1, tree: memoryTree(files) });
  }

  load(...sources: ApplicationSource[]) {
    return loadDesiredState(this.env, renderTarget, sources);
  }
}

const data = (state: { manifests: readonly { object: object }[] }): unknown =>
  (state.manifests[0]?.object as { data?: unknown } | undefined)?.data;

test('a chart receives its release name and its namespace', async () => {
  const repositories = new Repositories();
  repositories.push('https://h/c', chart);
  const state = await repositories.load({ repoURL: 'https://h/c', path: '.', helm: { values: 'v: 1' } });
  assert.deepEqual(state.types, ['Helm']);
  assert.deepEqual(state.manifests[0]?.object.metadata, { name: 'shop', namespace: 'web' });
  assert.deepEqual(data(state), { kube: 'v1.30.0', has: 'true', v: '1' });
  assert.deepEqual(repositories.credentials, ['team https://h/c']);
});

const two: ApplicationSource[] = [
  { repoURL: 'https://h/c', path: '.', helm: { valueFiles: ['$values/shop.yaml'] } },
  { repoURL: 'https://h/v', ref: 'values' },
];

test('value files may come from another source; a commit there that does not change them is ignored', async () => {
  const repositories = new Repositories();
  repositories.push('https://h/c', chart);
  repositories.push('https://h/v', { 'shop.yaml': 'v: one\n' });
  const first = await repositories.load(...two);
  assert.deepEqual(
    [data(first), first.revisions, first.types],
    [{ kube: 'v1.30.0', has: 'true', v: 'one' }, ['1', '1'], ['Helm', '']],
  );
  repositories.push('https://h/v', { 'shop.yaml': 'v: one\n', 'other.yaml': 'v: x\n' });
  const second = await repositories.load(...two);
  assert.equal(keepUnchanged(first, second), first);
  assert.equal(keepUnchanged(first, second, { asked: true }), second, 'a requested refresh reports the commit');
  assert.equal(keepUnchanged(first, { ...first }, { asked: true }), first);
  repositories.push('https://h/v', { 'shop.yaml': 'v: two\n' });
  const third = await repositories.load(...two);
  assert.equal(keepUnchanged(first, third), third);
  assert.deepEqual((data(third) as { v: string }).v, 'two');
  assert.equal(repositories.env.manifests.renders, 2);
});

test('a ref source without referenced files is not fetched', async () => {
  const repositories = new Repositories();
  repositories.push('https://h/c', chart);
  repositories.push('https://h/v', {});
  await repositories.load({ repoURL: 'https://h/c', path: '.' }, { repoURL: 'https://h/v', ref: 'values' });
  assert.deepEqual(repositories.trees, ['https://h/c']);
});

test('a kustomization may refer only to remote bases that its project permits', async () => {
  const repositories = new Repositories();
  const overlay = (url: string) => ({ 'kustomization.yaml': `resources: ['${url}//base?ref=v1']\nnamePrefix: x-\n` });
  repositories.push('https://h/base', {
    'base/kustomization.yaml': 'resources: [a.yaml]\n',
    'base/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  });
  repositories.push('https://h/k', overlay('https://h/base'));
  const state = await repositories.load({ repoURL: 'https://h/k', path: '.' });
  assert.deepEqual(
    state.manifests.map(({ object }) => object.metadata.name),
    ['x-a'],
  );
  repositories.push('https://h/k', overlay('https://elsewhere/base'));
  await assert.rejects(repositories.load({ repoURL: 'https://h/k', path: '.' }), (error: Error) => {
    assert.ok(error.cause instanceof RenderError);
    assert.match(error.message, /elsewhere\/base.* is not permitted in project 'team'/);
    return true;
  });
});
