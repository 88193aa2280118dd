import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, AppProject } from '@fairlead/api';
import { repositoryProblem } from './repository-access.ts';

const project = (spec: AppProject['spec']): AppProject => ({
  apiVersion: '',
  kind: '',
  metadata: { name: 'team' },
  spec,
});
const application = (namespace: string): Application =>
  ({ metadata: { name: 'a', namespace }, spec: { project: 'team' } }) as unknown as Application;

test('stored credentials write only to repositories that the project permits, for Applications that may be in it', () => {
  const team = project({ sourceRepos: ['https://git.example.com/team/*'], sourceNamespaces: ['team-*'] });
  const own = 'https://git.example.com/team/app.git';
  assert.equal(repositoryProblem(application('argocd'), own, team, 'argocd'), undefined);
  assert.equal(repositoryProblem(application('team-a'), own, team, 'argocd'), undefined);
  assert.match(
    repositoryProblem(application('argocd'), 'https://git.example.com/other/app', team, 'argocd') ?? '',
    /not permitted in project 'team'/u,
  );
  assert.match(
    repositoryProblem(application('elsewhere'), own, team, 'argocd') ?? '',
    /does not permit applications in namespace elsewhere/u,
  );
  assert.match(repositoryProblem(application('argocd'), own, undefined, 'argocd') ?? '', /does not exist/u);
});
