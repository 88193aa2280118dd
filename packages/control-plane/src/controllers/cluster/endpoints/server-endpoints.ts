import { Controller, done } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import { endpointSliceType, endpointsType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import type { Endpoints } from './endpoints-object.ts';
import { type Slice, serviceNameLabel } from './slices.ts';

/**
 * The address of the API server: one from the range reserved for documentation. Endpoints may not be on loopback, where the server listens,
 * and simulated pods have no network.
 */
const address = '192.0.2.1';
const port = { name: 'https', port: 6443, protocol: 'TCP' };
const place = { name: 'kubernetes', namespace: 'default' };

const endpoints: Endpoints = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { ...place, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
  subsets: [{ addresses: [{ ip: address }], ports: [port] }],
};
const slice: Slice = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...place, labels: { [serviceNameLabel]: place.name } },
  addressType: 'IPv4',
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports: [port],
};

/** Maintains the endpoints of the `kubernetes` Service, which is the API server. */
export const serverEndpoints: MakeController = (parts) => {
  const client = parts.client('kube-apiserver');
  const own = { namespace: place.namespace, fieldSelector: `metadata.name=${place.name}` };
  const allEndpoints = parts.informers.informer<Endpoints>(endpointsType, own);
  const slices = parts.informers.informer<Slice>(endpointSliceType, own);
  const key = `${place.namespace}/${place.name}`;
  const controller = new Controller({
    name: 'server-endpoints',
    clock: parts.clock,
    log: parts.log,
    async reconcile() {
      if (!allEndpoints.get(key)) await forgiving(client.create(endpointsType, endpoints));
      if (!slices.get(key)) await forgiving(client.create(endpointSliceType, slice));
      return done;
    },
  });
  controller.watch(allEndpoints, () => [key]).watch(slices, () => [key]);
  controller.enqueue(key);
  return controller;
};
