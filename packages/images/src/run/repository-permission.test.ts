import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, AppProject } from '@fairlead/api';
import { whyNotWritten } from './repository-permission.ts';

const project = (spec: AppProject['spec']): AppProject => ({
  apiVersion: '',
  kind: '',
  metadata: { name: 'team' },
  spec,
});
const application = (namespace: string): Application =>
  ({ metadata: { name: 'a', namespace }, spec: { project: 'team' } }) as unknown as Application;

test('stored credentials write only to what the project permits, for Applications that may be in it', () => {
  const team = project({ sourceRepos: ['https://git.example.com/team/*'], sourceNamespaces: ['team-*'] });
  const own = 'https://git.example.com/team/app.git';
  assert.equal(whyNotWritten(application('argocd'), own, team, 'argocd'), undefined);
  assert.equal(whyNotWritten(application('team-a'), own, team, 'argocd'), undefined);
  assert.match(
    whyNotWritten(application('argocd'), 'https://git.example.com/other/app', team, 'argocd') ?? '',
    /not permitted in project 'team'/u,
  );
  assert.match(
    whyNotWritten(application('elsewhere'), own, team, 'argocd') ?? '',
    /does not permit applications in namespace elsewhere/u,
  );
  assert.match(whyNotWritten(application('argocd'), own, undefined, 'argocd') ?? '', /no project/u);
});
