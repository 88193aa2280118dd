import { isNotFound, type KubeObject, serviceType } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, Informer, silentLogger, systemRandom } from '@fairlead/kube';

interface Service extends KubeObject {
  readonly spec?: { readonly type?: string };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly unknown[] } };
}

/** Gives every Service of type LoadBalancer an address, as a cloud does; without one it is never healthy. */
export function runLoadBalancers(client: ApiClient, clock: Clock, signal: AbortSignal): void {
  const services = new Informer<Service>(client, serviceType, {}, { clock, random: systemRandom, log: silentLogger });
  const provide = ({ spec, status, metadata: { namespace = '', name } }: Service): void => {
    if (spec?.type !== 'LoadBalancer' || status?.loadBalancer?.ingress?.length) return;
    const body = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };
    client
      .patch(serviceType, { namespace, name }, 'merge', body, { subresource: 'status', signal })
      .catch((error: unknown) => {
        if (!isNotFound(error) && !signal.aborted) throw error;
      });
  };
  services.addHandler({ onAdd: provide, onUpdate: (_, service) => provide(service) });
  void services.run(signal);
}
