import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { memoryTree } from '@fairlead/render';
import { remoteSources } from './remote-sources.ts';

const project: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'team', namespace: 'argocd' },
  spec: {
    sourceRepos: ['https://git.example.com/team/*', 'https://charts.example.com', 'registry.example.com/charts'],
  },
};

function fetcher() {
  const asked: unknown[] = [];
  const tree = memoryTree({});
  const fetch = remoteSources(
    {
      access: {
        credentialsFor: (url, name) => ({ name: `${name} at ${url}` }),
        repositoryNamed: (name) => (name === 'stable' ? 'https://charts.example.com' : undefined),
      },
      sources: {
        async resolve({ repoURL, chart }, revision, ask) {
          asked.push([repoURL, chart ?? '', revision, ask?.credentials?.name, ask?.fresh, ask?.passCredentials]);
          return 'c';
        },
        tree: async () => tree,
        file: async (url) => {
          asked.push(url);
          return tree;
        },
        keyOf: () => '',
        onChange: () => () => {},
      },
    },
    project,
    { fresh: true, passCredentials: false },
  );
  return { asked, fetch, tree };
}

test('a remote base is read only if the project permits it, with its credentials', async () => {
  const { asked, fetch, tree } = fetcher();
  const base = 'https://git.example.com/team/base';
  assert.equal(await fetch({ kind: 'repository', url: `${base}?ref=v2` }), tree);
  assert.deepEqual(asked, [[base, '', 'v2', `team at ${base}`, true, false]]);
  await assert.rejects(
    fetch({ kind: 'repository', url: 'https://evil.example.com/x' }),
    /not permitted in project 'team'/,
  );
  assert.equal(asked.length, 1, 'a forbidden source is not requested');
});

test('charts come from repositories that the project permits, by URL or by name', async () => {
  const { asked, fetch } = fetcher();
  const chart = { kind: 'chart', name: 'redis', version: '^1' } as const;
  await fetch({ ...chart, repository: 'https://charts.example.com' });
  await fetch({ ...chart, repository: '@stable' });
  await fetch({ ...chart, repository: 'oci://registry.example.com/charts' });
  assert.deepEqual(
    asked.map((ask) => (ask as unknown[]).slice(0, 3)),
    [
      ['https://charts.example.com', 'redis', '^1'],
      ['https://charts.example.com', 'redis', '^1'],
      ['oci://registry.example.com/charts', 'redis', '^1'],
    ],
  );
  await assert.rejects(fetch({ ...chart, repository: 'https://elsewhere.example.com' }), /not permitted/);
  await assert.rejects(fetch({ ...chart, repository: '@unknown' }), /there is no chart repository named/);
});

test('remote files are fetched only if the project permits it', async () => {
  const { asked, fetch } = fetcher();
  await fetch({ kind: 'file', url: 'https://git.example.com/team/a.yaml' });
  await assert.rejects(fetch({ kind: 'file', url: 'http://169.254.169.254/latest/meta-data' }), /not permitted/);
  assert.deepEqual(asked, ['https://git.example.com/team/a.yaml']);
});
