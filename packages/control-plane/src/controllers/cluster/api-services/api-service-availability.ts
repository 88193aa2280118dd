import {
  type Condition,
  findCondition,
  formatTime,
  type KubeObject,
  serviceType,
  withTransitionTime,
} from '@fairlead/apimachinery';
import { Controller, done } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import { apiServiceType, endpointSliceType } from '../../resource-types.ts';
import type { Service } from '../endpoints/service.ts';
import { indexSlices, slicesOf } from '../endpoints/slice-index.ts';
import { type Slice, serviceNameLabel } from '../endpoints/slices.ts';
import { forgiving } from '../forgiving.ts';
import { settling } from '../settling.ts';

export interface ApiService extends KubeObject {
  spec?: {
    readonly group?: string;
    readonly version?: string;
    readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number };
  };
  status?: { readonly conditions?: readonly Condition[] };
}

const byService = 'api-service/service';
const servicesOf = ({ spec }: ApiService): string[] =>
  spec?.service ? [`${spec.service.namespace}/${spec.service.name}`] : [];

/** Reports whether the servers of APIServices respond. Pods are simulated, so none does once its Service has endpoints. */
export const apiServiceAvailability: MakeController = (parts) => {
  const client = parts.client('kube-apiserver');
  const apiServices = parts.informers.informer<ApiService>(apiServiceType).addIndex(byService, servicesOf);
  const services = parts.informers.informer<Service>(serviceType);
  const slices = indexSlices(parts.informers.informer<Slice>(endpointSliceType));
  const controller = new Controller({
    name: 'api-service-availability',
    clock: parts.clock,
    log: parts.log,
    reconcile: settling(async (key) => {
      const apiService = apiServices.get(key);
      const [service] = apiService ? servicesOf(apiService) : [];
      if (!apiService || service === undefined) return done;
      const found = unavailability(apiService, services.get(service), slicesOf(slices, service));
      const before = apiService.status?.conditions ?? [];
      const old = findCondition(before, 'Available');
      if (old?.status === 'False' && old.reason === found.reason && old.message === found.message) return done;
      const now = formatTime(parts.clock.now());
      const condition = withTransitionTime({ type: 'Available', status: 'False', ...found }, before, now);
      const status = { conditions: [...before.filter(({ type }) => type !== 'Available'), condition] };
      await forgiving(client.patch(apiServiceType, { name: key }, 'merge', { status }, { subresource: 'status' }));
      return done;
    }),
  });
  const concerned = (service: string): string[] =>
    apiServices.byIndex(byService, service).map(({ metadata }) => metadata.name);
  return controller
    .watch(apiServices)
    .watch(services, ({ metadata }) => concerned(`${metadata.namespace}/${metadata.name}`))
    .watch(slices, ({ metadata }) => concerned(`${metadata.namespace}/${metadata.labels?.[serviceNameLabel] ?? ''}`));
};

/** Why a server does not respond, with the reasons and messages of kube-aggregator. */
export function unavailability(
  { spec }: ApiService,
  service: Service | undefined,
  slices: readonly Slice[],
): Pick<Condition, 'reason' | 'message'> {
  const { namespace = '', name = '', port = 443 } = spec?.service ?? {};
  const at = `service/${name} in "${namespace}"`;
  if (!service) return { reason: 'ServiceNotFound', message: `${at} is not present` };
  if ((service.spec.type ?? 'ClusterIP') === 'ClusterIP') {
    const served = service.spec.ports?.find((each) => each.port === port);
    if (!served) return { reason: 'ServicePortError', message: `${at} is not listening on port ${port}` };
    if (slices.length === 0) return { reason: 'EndpointsNotFound', message: `cannot find endpointslices for ${at}` };
    const portName = served.name ?? '';
    if (!slices.some((slice) => hasReady(slice, portName))) {
      const message = `endpointslices for ${at} have no addresses with port name "${portName}"`;
      return { reason: 'MissingEndpoints', message };
    }
  }
  const host = `${service.spec.clusterIP}:${port}`;
  const url = `https://${host}/apis/${spec?.group}/${spec?.version}`;
  const message = `failing or missing response from ${url}: Get "${url}": dial tcp ${host}: connect: connection refused`;
  return { reason: 'FailedDiscoveryCheck', message };
}

const hasReady = ({ endpoints, ports }: Slice, portName: string): boolean =>
  (ports ?? []).some(({ name = '' }) => name === portName) &&
  (endpoints ?? []).some(({ conditions }) => conditions.ready !== false);
