import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from '../endpoints/service.ts';
import type { Slice } from '../endpoints/slices.ts';
import { type ApiService, unavailability } from './api-service-availability.ts';

const apiService: ApiService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1beta1.metrics.k8s.io' },
  spec: { group: 'metrics.k8s.io', version: 'v1beta1', service: { namespace: 'kube-system', name: 'metrics' } },
};
const service = (spec: Partial<Service['spec']> = {}): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'metrics', namespace: 'kube-system' },
  spec: { clusterIP: '10.96.0.7', ports: [{ name: 'https', port: 443 }], ...spec },
});
const slice = (ready: boolean): Slice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'metrics-1' },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready } }],
  ports: [{ name: 'https', port: 8443 }],
});

test('an APIService reports the first problem of its Service', () => {
  const said = (found: Service | undefined, ...slices: Slice[]): string => {
    const { reason, message } = unavailability(apiService, found, slices);
    return `${reason}: ${message}`;
  };
  assert.equal(said(undefined), 'ServiceNotFound: service/metrics in "kube-system" is not present');
  assert.equal(
    said(service({ ports: [{ port: 80 }] })),
    'ServicePortError: service/metrics in "kube-system" is not listening on port 443',
  );
  assert.equal(said(service()), 'EndpointsNotFound: cannot find endpointslices for service/metrics in "kube-system"');
  assert.equal(
    said(service(), slice(false)),
    'MissingEndpoints: endpointslices for service/metrics in "kube-system" have no addresses with port name "https"',
  );
});

test('an APIService whose Service has endpoints but no server is unavailable', () => {
  const url = 'https://10.96.0.7:443/apis/metrics.k8s.io/v1beta1';
  assert.deepEqual(unavailability(apiService, service(), [slice(true)]), {
    reason: 'FailedDiscoveryCheck',
    message: `failing or missing response from ${url}: Get "${url}": dial tcp 10.96.0.7:443: connect: connection refused`,
  });
});
