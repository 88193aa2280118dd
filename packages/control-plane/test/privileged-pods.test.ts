import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podType } from '@fairlead/apimachinery';
import { startControlPlane, startEmbeddedCluster } from '../src/index.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'agent', namespace: 'default' },
  spec: { containers: [{ name: 'c', image: 'a:1', securityContext: { privileged: true } }] },
};

test('an embedded cluster admits privileged containers, as installed clusters do', async () => {
  const cluster = await startEmbeddedCluster({ nodes: 1, serviceAccountAdmission: false });
  try {
    const created = await cluster.client('test').create(podType, pod, { dryRun: true });
    assert.equal(created.metadata.name, 'agent');
  } finally {
    await cluster.close();
  }
});

test('an API server alone refuses privileged containers by default, as kube-apiserver does', async () => {
  const plane = await startControlPlane({ serviceAccountAdmission: false });
  try {
    await assert.rejects(plane.client('test').create(podType, pod, { dryRun: true }), {
      message: /securityContext\.privileged: Forbidden: disallowed by cluster policy/u,
    });
  } finally {
    await plane.close();
  }
});
