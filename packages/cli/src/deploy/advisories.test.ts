/** A published advisory about what an installation runs beside its roles: docs/security/advisories.md lists it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAt, objectAt, textAt } from '@fairlead/apimachinery';
import { manifests } from './manifests.ts';
import { deployedRoles } from './role-table.ts';

/** Each of these asks for a session, a signature or a client certificate, except metrics, which network policies leave to Prometheus. */
const served = ['agents', 'https', 'metrics', 'webhooks'];

test('GHSA-9766-5277-j5hr: an installation has no cache server, and its caches are in volumes of single pods', () => {
  for (const ha of [false, true]) {
    for (const scope of ['cluster', 'namespace'] as const) {
      const objects = manifests({ namespace: 'argocd', ha, scope, image: 'registry.example.com/fairlead:1' });
      const workloads = objects.filter((object) => objectAt(object, 'spec', 'template', 'spec'));
      assert.ok(workloads.length > 0);
      for (const workload of workloads) {
        const name = textAt(workload, 'metadata', 'name');
        const pod = objectAt(workload, 'spec', 'template', 'spec');
        const containers = [...listAt(pod, 'initContainers'), ...listAt(pod, 'containers')];
        for (const container of containers) {
          assert.equal(textAt(container, 'image'), 'registry.example.com/fairlead:1', name);
          for (const port of listAt(container, 'ports')) assert.ok(served.includes(textAt(port, 'name')), name);
        }
        for (const volume of listAt(pod, 'volumes'))
          assert.ok(objectAt(volume, 'emptyDir'), `${name}: a shared volume`);
        assert.ok(
          objects.some(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name),
          `${name} has a network policy`,
        );
      }
    }
  }
  const ports = new Set(deployedRoles.flatMap((role) => role.ports.map((port) => port.name)));
  assert.deepEqual([...ports].sort(), served);
});
