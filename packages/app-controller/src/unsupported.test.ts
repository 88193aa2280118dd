import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, AppProject } from '@fairlead/api';
import { heldBy, refusals, warnings } from './unsupported.ts';

const project = (spec: AppProject['spec']): AppProject => ({
  apiVersion: '',
  kind: 'AppProject',
  metadata: { name: 'p' },
  spec,
});
const application = (ignoreDifferences: Application['spec']['ignoreDifferences']): Application => ({
  apiVersion: '',
  kind: 'Application',
  metadata: { name: 'a' },
  spec: { project: 'p', destination: {}, ...(ignoreDifferences ? { ignoreDifferences } : {}) },
});

test('what guards a deployment and cannot be checked refuses it', () => {
  assert.deepEqual(refusals(project({})), []);
  assert.match(refusals(project({ signatureKeys: [{ keyID: 'A' }] }))[0]!, /signatures cannot be checked yet/);
  assert.match(
    refusals(project({ sourceIntegrity: { git: { policies: [] } } }))[0]!,
    /signatures cannot be checked yet/,
  );
  assert.match(refusals(project({ permitOnlyProjectScopedClusters: true }))[0]!, /only clusters of its own/);
});

test('windows hold automated syncs', () => {
  assert.equal(heldBy(project({ syncWindows: [] })), undefined);
  assert.match(
    heldBy(project({ syncWindows: [{ kind: 'deny' }] }))!,
    /has sync windows, which are not kept yet: sync by hand/,
  );
});

test('what is merely not done is said', () => {
  const rules = [
    { kind: 'X', jqPathExpressions: ['.a'] },
    { kind: 'Y', managedFieldsManagers: ['m'] },
  ];
  assert.equal(warnings(application(rules), project({ orphanedResources: {} })).length, 3);
  assert.deepEqual(
    warnings(application([{ kind: 'X', jsonPointers: ['/a'] }]), project({ orphanedResources: { warn: false } })),
    [],
  );
});
