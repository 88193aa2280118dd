import { serviceType, uidOf } from '@fairlead/apimachinery';
import { Controller, done, requeueAfter } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import { endpointSliceType, endpointsType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import { OwnWrites } from '../own-writes.ts';
import { catchUpMs, settling } from '../settling.ts';
import type { Endpoints } from './endpoints-object.ts';
import { type PlannedSlice, planSlices } from './plan-slices.ts';
import { isV6, lastChangeTrigger, type Service } from './service.ts';
import { indexSlices, slicesOf } from './slice-index.ts';
import { type Endpoint, type EndpointGroup, managedByLabel, type Slice, serviceNameLabel } from './slices.ts';
import { type EndpointAddress, repacked } from './subsets.ts';

const manager = 'endpointslicemirroring-controller.k8s.io';
const skipMirror = 'endpointslice.kubernetes.io/skip-mirror';
const leaderElection = 'control-plane.alpha.kubernetes.io/leader';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const mostAddresses = 1_000;

const isMirrored = ({ metadata }: Endpoints): boolean =>
  metadata.labels?.[skipMirror] !== 'true' && metadata.annotations?.[leaderElection] === undefined;

const asEndpoint = ({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname ? { hostname } : {}),
  ...(targetRef ? { targetRef } : {}),
  ...(nodeName ? { nodeName } : {}),
});

/** Manually written Endpoints, as slices. */
export function mirroredGroups(endpoints: Endpoints): EndpointGroup[] {
  return repacked(endpoints.subsets ?? []).flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
    const all = [
      ...addresses.map((address) => asEndpoint(address, true)),
      ...notReadyAddresses.map((address) => asEndpoint(address, false)),
    ].slice(0, mostAddresses);
    const slicePorts = ports.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
      name,
      protocol,
      port,
      ...(appProtocol ? { appProtocol } : {}),
    }));
    return (['IPv4', 'IPv6'] as const).flatMap((addressType) => {
      const own = all.filter((endpoint) => isV6(endpoint.addresses[0] ?? '') === (addressType === 'IPv6'));
      return own.length > 0 ? [{ addressType, ports: slicePorts, endpoints: own }] : [];
    });
  });
}

function sliceObject(endpoints: Endpoints, planned: PlannedSlice): Slice {
  const { name, namespace = '', labels } = endpoints.metadata;
  const annotations = mirroredAnnotations(endpoints);
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: planned.replaces?.metadata.name ?? '',
      namespace,
      generateName: `${name}-`,
      labels: { ...labels, [serviceNameLabel]: name, [managedByLabel]: manager },
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Endpoints',
          name,
          uid: uidOf(endpoints),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    addressType: planned.addressType,
    endpoints: [...planned.endpoints],
    ports: planned.ports.length > 0 ? [...planned.ports] : null,
  };
}

function mirroredAnnotations({ metadata }: Endpoints): Record<string, string> {
  const { [lastChangeTrigger]: _, [lastApplied]: __, ...rest } = metadata.annotations ?? {};
  return rest;
}

const sorted = (map: Readonly<Record<string, string>> = {}): string => JSON.stringify(Object.entries(map).sort());

/** Mirrors Endpoints of Services without a selector into slices. */
export const endpointMirror: MakeController = (parts) => {
  const client = parts.client('endpointslicemirroring-controller');
  const endpoints = parts.informers.informer<Endpoints>(endpointsType);
  const services = parts.informers.informer<Service>(serviceType);
  const slices = indexSlices(parts.informers.informer<Slice>(endpointSliceType));
  const writes = new OwnWrites();
  const controller = new Controller({
    name: 'endpoint-slice-mirroring',
    concurrency: 5,
    clock: parts.clock,
    log: parts.log,
    reconcile: settling(async (key) => {
      if (writes.isBehind(key, (name) => slices.get(name))) return requeueAfter(catchUpMs);
      const source = endpoints.get(key);
      const service = services.get(key);
      const present = slicesOf(slices, key, manager).filter((slice) => !slice.metadata.deletionTimestamp);
      const desired = source && isMirrored(source) && service && service.spec.selector === undefined;
      if (!desired) {
        for (const slice of present) await forgiving(client.delete(endpointSliceType, slice.metadata));
        return done;
      }
      const isCurrent = ({ metadata }: Slice): boolean => {
        const { [serviceNameLabel]: _, [managedByLabel]: __, ...labels } = metadata.labels ?? {};
        return (
          sorted(labels) === sorted(source.metadata.labels) &&
          sorted(metadata.annotations) === sorted(mirroredAnnotations(source)) &&
          metadata.ownerReferences?.[0]?.uid === source.metadata.uid
        );
      };
      const plan = planSlices(mirroredGroups(source), present, isCurrent, []);
      for (const planned of plan.write) {
        if (!planned.replaces && source.metadata.deletionTimestamp) continue;
        const slice = sliceObject(source, planned);
        const write = planned.replaces
          ? client.replace(endpointSliceType, slice)
          : client.create(endpointSliceType, slice);
        const written = await forgiving(write);
        if (written) writes.wrote(key, written);
      }
      for (const slice of plan.remove) {
        await forgiving(client.delete(endpointSliceType, slice.metadata));
        writes.removed(key, slice);
      }
      return done;
    }),
  });
  return controller
    .watch(endpoints)
    .watch(services)
    .watch(slices, ({ metadata }) => {
      const name = metadata.labels?.[serviceNameLabel];
      return name && metadata.labels?.[managedByLabel] === manager ? [`${metadata.namespace}/${name}`] : [];
    });
};
