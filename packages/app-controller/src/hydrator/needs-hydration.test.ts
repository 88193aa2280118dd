import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { needsHydration } from './needs-hydration.ts';

const sourceHydrator = {
  drySource: { repoURL: 'https://git.example/shop', targetRevision: 'main', path: 'app' },
  syncSource: { targetBranch: 'env/prod', path: 'shop' },
};
type Operation = NonNullable<NonNullable<Application['status']>['sourceHydrator']>['currentOperation'];
const app = (currentOperation?: Operation, annotations = {}): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd', annotations },
  spec: { project: 'default', destination: {}, sourceHydrator },
  status: { sourceHydrator: { ...(currentOperation ? { currentOperation } : {}), lastComparedDryRevision: 'a' } },
});
const now = Date.parse('2026-01-01T00:10:00Z');
const why = (application: Application, dryRevision = 'a') => needsHydration(application, { dryRevision, now });

test('an Application is hydrated for a new commit, a changed spec, a request, and after a failure', () => {
  const done = { phase: 'Hydrated', message: '', sourceHydrator } as const;
  assert.equal(why(app()), 'no previous hydrate operation');
  assert.equal(why(app(done)), undefined);
  assert.equal(why(app(done), 'b'), 'the dry source has a new commit');
  assert.equal(why(app(done, { 'argocd.argoproj.io/hydrate': 'normal' })), 'a hydration is requested');
  const other = { ...sourceHydrator, syncSource: { targetBranch: 'env/prod', path: 'other' } };
  assert.equal(why(app({ ...done, sourceHydrator: other })), 'spec.sourceHydrator differs');
  assert.equal(why(app({ ...done, phase: 'Hydrating' })), 'a hydration was interrupted');
  const failed = (finishedAt: string) => why(app({ ...done, phase: 'Failed', finishedAt }));
  assert.equal(failed('2026-01-01T00:09:00Z'), undefined, 'not repeated at once');
  assert.equal(failed('2026-01-01T00:07:00Z'), 'the last hydration failed');
});
