import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, limits } from '@fairlead/kube';
import { SourceError } from '../source-error.ts';
import { SourceFetches } from './source-fetches.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function made() {
  let now = 0;
  const clock: Clock = { now: () => now, after: () => () => {} };
  const fetches = new SourceFetches({ clock, pollMs: 180_000 });
  return { fetches, pass: (ms: number) => (now += ms) };
}

const down = (): Promise<never> => Promise.reject(new SourceError('RepositoryUnavailable', 'no route'));

test('a project uses only its own slots of a host, and leaves others to other projects', async () => {
  const { fetches } = made();
  const started: string[] = [];
  const fetch = (project: string) =>
    fetches.run({ url: 'https://charts.example.com/a', project }, () => {
      started.push(project);
      return new Promise(() => {});
    });
  for (let n = 0; n < 100; n++) void fetch('hostile');
  void fetch('honest');
  await settle();
  assert.equal(started.filter((project) => project === 'hostile').length, limits.httpFetchesPerProjectAndHost);
  assert.ok(started.includes('honest'));
});

test('the Applications of an unavailable repository share its back-off; a refresh retries at once', async () => {
  const { fetches, pass } = made();
  let requests = 0;
  const ask = (fresh = false, answer: () => Promise<unknown> = down) =>
    fetches.run({ url: 'https://example.com', repository: 'r', fresh }, () => {
      requests += 1;
      return answer();
    });
  for (let n = 0; n < 60; n++) await assert.rejects(ask(), /no route/);
  assert.equal(requests, 1);
  pass(10_000);
  await assert.rejects(ask());
  pass(10_000);
  await assert.rejects(ask());
  assert.equal(requests, 2, 'the second pause is longer');
  await ask(true, async () => {});
  await assert.rejects(ask());
  assert.equal(requests, 4, 'after a success there is no pause');
});

test('a version that does not exist causes no back-off of the repository', async () => {
  const { fetches } = made();
  const missing = () => Promise.reject(new SourceError('RevisionNotFound', 'no such version'));
  await assert.rejects(fetches.run({ url: 'https://example.com', repository: 'r' }, missing));
  assert.equal(await fetches.run({ url: 'https://example.com', repository: 'r' }, async () => 'found'), 'found');
});
