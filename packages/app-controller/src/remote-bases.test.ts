import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { memoryTree } from '@fairlead/render';
import { readAddress, remoteBases } from './remote-bases.ts';

const project: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'team', namespace: 'argocd' },
  spec: { sourceRepos: ['https://git.example.com/team/*'] },
};

test('an address is a repository and a revision', () => {
  assert.deepEqual(readAddress('https://h/a/b.git?ref=v1&timeout=9s'), {
    repoURL: 'https://h/a/b.git',
    revision: 'v1',
  });
  assert.deepEqual(readAddress('git@h:a/b'), { repoURL: 'git@h:a/b', revision: '' });
});

test('a base is read where the project permits it, with its credentials, and nowhere else', async () => {
  const asked: unknown[] = [];
  const tree = memoryTree({});
  const fetch = remoteBases(
    {
      access: { credentialsFor: (url, name) => ({ name: `${name} at ${url}` }) },
      sources: {
        async resolve(source, revision, ask) {
          asked.push([source.repoURL, revision, ask?.credentials?.name, ask?.fresh]);
          return 'c';
        },
        tree: async () => tree,
        keyOf: () => '',
        onChange: () => () => {},
      },
    },
    project,
    { fresh: true },
  );
  assert.equal(await fetch('https://git.example.com/team/base?ref=v2'), tree);
  assert.deepEqual(asked, [
    ['https://git.example.com/team/base', 'v2', 'team at https://git.example.com/team/base', true],
  ]);
  await assert.rejects(fetch('https://evil.example.com/x'), /not permitted in project 'team'/);
  assert.equal(asked.length, 1, 'what is not permitted is not even asked for');
});
