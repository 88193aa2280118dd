import { keyOf, nodeType, parseKey, uidOf } from '@fairlead/apimachinery';
import { type ApiClient, Controller, done, requeueAfter } from '@fairlead/kube';
import type { ControllerParts, MakeController } from '../../parts.ts';
import { endpointSliceType, endpointsType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import type { Node } from '../objects.ts';
import { OwnWrites } from '../own-writes.ts';
import { catchUpMs, settling } from '../settling.ts';
import { type Endpoints, endpointsFor, endpointsManager } from './endpoints-object.ts';
import { type FollowedServices, followServices } from './follow-services.ts';
import { type PlannedSlice, planSlices } from './plan-slices.ts';
import { lastChangeTrigger, type Service, selectsPods } from './service.ts';
import { indexSlices, slicesOf } from './slice-index.ts';
import { addressTypes, groupsOf, hasLabelsOf, type Slice, sliceLabels, sliceManager } from './slices.ts';
import { subsetsOf } from './subsets.ts';
import { TriggerTimes } from './trigger-times.ts';

/** Services with pods whose node is unknown are reconciled again after this time. */
const lostPodsMs = 5_000;

/** Maintains the Endpoints and the EndpointSlices of every Service with a selector. */
export const serviceEndpoints: MakeController = (parts) => {
  let controllers: readonly Controller[] = [];
  const followed = followServices(parts, (key) => {
    for (const controller of controllers) controller.enqueue(key);
  });
  controllers = [endpointsController(parts, followed), slicesController(parts, followed)];
  // Enqueues services that were added before the controllers existed.
  for (const controller of controllers) controller.watch(followed.services);
  return controllers;
};

function endpointsController(parts: ControllerParts, { services, podsOf }: FollowedServices): Controller {
  const client = parts.client(endpointsManager);
  const there = parts.informers.informer<Endpoints>(endpointsType);
  const writes = new OwnWrites();
  const times = new TriggerTimes();
  const controller = new Controller({
    name: 'endpoints',
    concurrency: 5,
    clock: parts.clock,
    log: parts.log,
    reconcile: settling(async (key) => {
      const service = services.get(key);
      if (!service) {
        times.forget(key);
        writes.forget(key);
        await forgiving(client.delete(endpointsType, parseKey(key)));
        return done;
      }
      if (!selectsPods(service)) return done;
      if (writes.isBehind(key, (name) => there.get(name))) return requeueAfter(catchUpMs);
      const pods = podsOf(service);
      const present = there.get(key);
      const desired = endpointsFor(service, subsetsOf(service, pods), present, times.next(key, service, pods));
      if (!desired) return done;
      const write = present ? client.replace(endpointsType, desired) : client.create(endpointsType, desired);
      const written = await forgiving(write);
      if (written) writes.wrote(key, written);
      return done;
    }),
  });
  there.addHandler({ onDelete: (endpoints) => controller.enqueue(keyOf(endpoints)) });
  return controller.watch(there, () => []);
}

function slicesController(parts: ControllerParts, { services, podsOf }: FollowedServices): Controller {
  const client = parts.client('endpointslice-controller');
  const there = indexSlices(parts.informers.informer<Slice>(endpointSliceType));
  const nodes = parts.informers.informer<Node>(nodeType);
  const writes = new OwnWrites();
  const times = new TriggerTimes();
  const controller = new Controller({
    name: 'endpoint-slices',
    concurrency: 5,
    clock: parts.clock,
    log: parts.log,
    reconcile: settling(async (key) => {
      const service = services.get(key);
      if (!service) {
        times.forget(key);
        writes.forget(key);
        return done;
      }
      if (!selectsPods(service)) return done;
      if (writes.isBehind(key, (name) => there.get(name))) return requeueAfter(catchUpMs);
      const pods = podsOf(service);
      const present = slicesOf(there, key, sliceManager).filter((slice) => !slice.metadata.deletionTimestamp);
      const isOwn = (slice: Slice) => slice.metadata.ownerReferences?.some(({ uid }) => uid === service.metadata.uid);
      const { groups, lostPods } = groupsOf(service, pods, (name) => nodes.get(name));
      const own = present.filter(isOwn);
      const plan = planSlices(groups, own, (slice) => hasLabelsOf(slice, service), addressTypes(service));
      const trigger = times.next(key, service, pods);
      for (const planned of plan.write) {
        if (!planned.replaces && service.metadata.deletionTimestamp) continue;
        const written = await writeSlice(client, sliceObject(service, planned, trigger), planned);
        if (written) writes.wrote(key, written);
      }
      const foreign = present.filter((slice) => !isOwn(slice));
      for (const slice of [...plan.remove, ...foreign]) {
        await forgiving(client.delete(endpointSliceType, slice.metadata));
        writes.removed(key, slice);
      }
      return lostPods ? requeueAfter(lostPodsMs) : done;
    }),
  });
  return controller
    .watch(nodes, () => [])
    .watch(there, ({ metadata }) => serviceOf(metadata.namespace, metadata.labels));
}

const serviceOf = (namespace = '', labels: Readonly<Record<string, string>> = {}): string[] => {
  const name = labels['kubernetes.io/service-name'];
  const isOurs = labels['endpointslice.kubernetes.io/managed-by'] === sliceManager;
  return name && isOurs ? [`${namespace}/${name}`] : [];
};

function sliceObject(service: Service, planned: PlannedSlice, trigger: string | undefined): Slice {
  const { name, namespace = '' } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: planned.replaces?.metadata.name ?? '',
      namespace,
      generateName: `${name}-`,
      labels: sliceLabels(service),
      ...(trigger ? { annotations: { [lastChangeTrigger]: trigger } } : {}),
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Service', name, uid: uidOf(service), controller: true, blockOwnerDeletion: true },
      ],
    },
    addressType: planned.addressType,
    endpoints: planned.endpoints.length > 0 ? [...planned.endpoints] : null,
    ports: planned.ports.length > 0 ? [...planned.ports] : null,
  };
}

async function writeSlice(client: ApiClient, slice: Slice, { replaces }: PlannedSlice): Promise<Slice | undefined> {
  if (!replaces) return forgiving(client.create(endpointSliceType, slice));
  const { resourceVersion } = replaces.metadata;
  const metadata = { ...slice.metadata, ...(resourceVersion ? { resourceVersion } : {}) };
  return forgiving(client.replace(endpointSliceType, { ...slice, metadata }));
}
