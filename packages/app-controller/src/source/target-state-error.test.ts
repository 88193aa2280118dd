import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError } from '@fairlead/render';
import { SourceError } from '@fairlead/source';
import { asTargetStateError, TargetStateError } from './target-state-error.ts';

const git = { source: { repoURL: 'https://git.example/a' }, index: 1, count: 2, requested: 'v9' };
const prefix = 'Failed to load target state: failed to generate manifest for source 2 of 2: rpc error: code =';

const cases: [title: string, error: RenderError | SourceError, message: string, unavailable?: true][] = [
  ['a broken file', new RenderError('InvalidManifest', 'bad'), 'FailedPrecondition desc = bad'],
  [
    'a missing path',
    new RenderError('PathNotFound', 'x: app path does not exist'),
    'Unknown desc = x: app path does not exist',
  ],
  [
    'a missing revision',
    new SourceError('RevisionNotFound', 'has no branch v9'),
    "Unknown desc = unable to resolve 'v9' to a commit SHA: revision not found",
  ],
  [
    'a missing repository',
    new SourceError('RepositoryNotFound', 'gone'),
    'Unknown desc = failed to list refs: repository not found',
  ],
  ['a server that does not answer', new SourceError('RepositoryUnavailable', 'reset'), 'Unknown desc = reset', true],
];
for (const [title, error, message, unavailable = false] of cases) {
  test(`the same message as Argo CD: ${title}`, () => {
    const wrapped = new TargetStateError(error, git);
    assert.equal(wrapped.message, `${prefix} ${message}`);
    assert.equal(wrapped.unavailable, unavailable);
  });
}

test('a missing chart keeps its own message', () => {
  const error = new SourceError('RevisionNotFound', 'no version 2 of chart web');
  const source = { repoURL: 'https://charts.example', chart: 'web' };
  assert.match(new TargetStateError(error, { ...git, source }).message, /desc = no version 2 of chart web$/);
});

test('a missing dependency keeps its own message', () => {
  const { requested: _, ...rendering } = git;
  const error = new SourceError('RepositoryNotFound', 'https://charts.example was not found');
  assert.match(new TargetStateError(error, rendering).message, /desc = https:\/\/charts\.example was not found$/);
});

test('other errors are unchanged', () => {
  const error = new TypeError('x is undefined');
  assert.equal(asTargetStateError(error, git), error);
});
