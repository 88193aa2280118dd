import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { refusals } from './unsupported.ts';

const project = (spec: AppProject['spec']): AppProject => ({
  apiVersion: '',
  kind: 'AppProject',
  metadata: { name: 'p' },
  spec,
});

test('what guards a deployment and cannot be kept refuses it, and names the field', () => {
  assert.deepEqual(refusals(project({})), []);
  assert.match(refusals(project({ signatureKeys: [{ keyID: 'A' }] }))[0]!, /signed commits.*spec\.signatureKeys/);
  assert.match(refusals(project({ sourceIntegrity: { git: { policies: [] } } }))[0]!, /spec\.sourceIntegrity/);
  const accounts = [{ server: '*', defaultServiceAccount: 'deployer' }];
  assert.match(refusals(project({ destinationServiceAccounts: accounts }))[0]!, /spec\.destinationServiceAccounts/);
});
