import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Secret } from '@fairlead/apimachinery';
import type { Informer, InformerHandler } from '@fairlead/kube';
import type { StoredCredentials } from '@fairlead/source';
import { opens, RepositoryAccess } from './repository-access.ts';

const secret = (name: string, type: string, data: Record<string, string>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': type } },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});

function watched(changed?: (entry: StoredCredentials) => void) {
  let handler: InformerHandler<Secret> = {};
  const informer = { addHandler: (given: InformerHandler<Secret>) => (handler = given) };
  const access = new RepositoryAccess(informer as unknown as Informer<Secret>, changed);
  return { access, handler };
}

const url = 'https://git.example.com/team/shop';

test('a repository Secret with a project applies to that project, one without to all', () => {
  const { access, handler } = watched();
  handler.onAdd?.(secret('team', 'repository', { url, username: 'team', password: 'x', project: 'team' }), true);
  assert.equal(access.credentialsFor(url, 'team')?.username, 'team');
  assert.equal(access.credentialsFor(url, 'other'), undefined);
  handler.onAdd?.(
    secret('all', 'repo-creds', { url: 'https://git.example.com', username: 'all', password: 'x' }),
    true,
  );
  assert.equal(access.credentialsFor(url, 'other')?.username, 'all');
  assert.equal(access.credentialsFor(url, 'team')?.username, 'team');
});

test('a change is reported for the old URL and the new one; the initial state is not', () => {
  const changes: string[] = [];
  const { access, handler } = watched((entry) => changes.push(entry.url));
  const before = secret('a', 'repository', { url, password: '1' });
  handler.onAdd?.(before, true);
  assert.deepEqual(changes, []);
  handler.onUpdate?.(before, { ...before });
  assert.deepEqual(changes, []);
  const moved = secret('a', 'repository', { url: `${url}-2`, password: '1' });
  handler.onUpdate?.(before, moved);
  assert.deepEqual(changes, [url, `${url}-2`]);
  handler.onDelete?.(moved);
  assert.equal(changes.length, 3);
  assert.equal(access.credentialsFor(`${url}-2`, 'p'), undefined);
});

test('Secrets of another type give no credentials', () => {
  const { access, handler } = watched();
  handler.onAdd?.(secret('c', 'cluster', { url, password: 'x' }), true);
  assert.equal(access.credentialsFor(url, 'p'), undefined);
});

test('a credential template applies to the URLs below its own, in its project', () => {
  const entry: StoredCredentials = { kind: 'repo-creds', url: 'https://git.example.com/team', name: 'e', project: 'p' };
  assert.equal(opens(entry, url, 'p'), true);
  assert.equal(opens(entry, url, 'q'), false);
  assert.equal(opens(entry, 'https://git.example.com/team-b/x', 'p'), false);
});
