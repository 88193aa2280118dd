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

test('a policy that cannot be enforced refuses the deployment and names the field', () => {
  assert.deepEqual(refusals(project({})), []);
  assert.deepEqual(refusals(project({ signatureKeys: [{ keyID: 'A' }] })), []);
  const policy = (mode: string) =>
    project({ sourceIntegrity: { git: { policies: [{ repos: [{ url: '*' }], gpg: { mode, keys: [] } }] } } });
  assert.deepEqual([...refusals(policy('head')), ...refusals(policy('none'))], []);
  assert.match(
    refusals(policy('strict'))[0]!,
    /whole history.*until spec\.sourceIntegrity\.git\.policies\[0\]\.gpg\.mode is head/,
  );
  assert.match(refusals(policy('Head'))[0]!, /mode 'Head' must be none, head or strict/);
});
