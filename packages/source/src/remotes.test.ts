import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryTree, RenderError } from '@fairlead/render';
import { readAddress, remoteFetcher } from './remotes.ts';
import { SourceError, type SourceErrorReason } from './source-error.ts';

test('an address is parsed into a repository and a revision', () => {
  assert.deepEqual(readAddress('https://h/a/b.git?ref=v1&timeout=9s'), {
    repoURL: 'https://h/a/b.git',
    revision: 'v1',
  });
  assert.deepEqual(readAddress('git@h:a/b'), { repoURL: 'git@h:a/b', revision: '' });
});

const failing = (reason: SourceErrorReason) => {
  const fail = async (): Promise<never> => {
    throw new SourceError(reason, 'it said no');
  };
  return remoteFetcher(
    { resolve: fail, tree: async () => memoryTree({}), file: fail },
    { permit() {}, credentialsFor: () => undefined, repositoryNamed: () => undefined },
  );
};

test('an error names the chart that is not available', async () => {
  await assert.rejects(
    failing('AuthenticationFailed')({ kind: 'chart', repository: 'https://c', name: 'redis', version: '~1.2' }),
    new SourceError('AuthenticationFailed', 'chart redis ~1.2 of https://c: it said no'),
  );
});

test('a missing file is a render error; an unavailable server is a source error', async () => {
  const file = { kind: 'file', url: 'https://h/a.yaml' } as const;
  await assert.rejects(failing('RepositoryNotFound')(file), RenderError);
  await assert.rejects(failing('RepositoryUnavailable')(file), SourceError);
});
