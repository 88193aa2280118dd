import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointsFor } from './endpoints-object.ts';
import type { Service } from './service.ts';

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's', namespace: 'default' },
  spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] },
};

test('a Service without pods has Endpoints without subsets', () => {
  const made = endpointsFor(service, [], undefined, undefined);
  assert.ok(made);
  assert.equal('subsets' in made, false);
  assert.equal(endpointsFor(service, [], made, undefined), undefined);
});
