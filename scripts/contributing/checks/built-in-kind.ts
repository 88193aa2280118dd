/** Run in a copy of the workspace: the kind `LeaseCandidate` of CONTRIBUTING.md is served, decoded, validated, merged and listed. */
import assert from 'node:assert/strict';
import { ApiError, type KubeObject, type ResourceType, schemaOf } from '@fairlead/apimachinery';
import { startControlPlane } from '@fairlead/control-plane';

interface LeaseCandidate extends KubeObject {
  spec?: { leaseName?: string; binaryVersion?: string; renewTime?: string };
}

const type: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'LeaseCandidate',
  plural: 'leasecandidates',
  namespaced: true,
};
const candidate = (spec: LeaseCandidate['spec'] = {}): LeaseCandidate => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'LeaseCandidate',
  metadata: { name: 'web', namespace: 'default' },
  spec,
});

assert.ok(schemaOf(type.group, type.version, type.kind)?.fields.has('spec'), 'the type table has the kind');
const plane = await startControlPlane();
try {
  const client = plane.client('check');
  await assert.rejects(client.create(type, candidate({ binaryVersion: '1.36' })), (error) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.status.reason, 'Invalid');
    assert.match(error.message, /spec\.leaseName: Required value/);
    return true;
  });
  await client.create(type, candidate({ leaseName: 'election', binaryVersion: '1.36' }));
  const key = { namespace: 'default', name: 'web' };
  const patched = await client.patch<LeaseCandidate>(type, key, 'merge', { spec: { binaryVersion: '1.37' } });
  assert.deepEqual(patched.spec, { leaseName: 'election', binaryVersion: '1.37' });
  const applied = { ...candidate({ leaseName: 'election', renewTime: '2026-01-02T03:04:05.000006Z' }) };
  const merged = await client.patch<LeaseCandidate>(type, key, 'apply', applied, {
    fieldManager: 'check',
    force: true,
  });
  assert.equal(merged.spec?.renewTime, '2026-01-02T03:04:05.000006Z');
  assert.equal((await client.list(type, { namespace: 'default' })).items.length, 1);
} finally {
  await plane.close();
}
