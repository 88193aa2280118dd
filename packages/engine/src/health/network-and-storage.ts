import { type KubeObject, listAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from './health.ts';

const hasAddress = (object: KubeObject): boolean => listAt(object, 'status', 'loadBalancer', 'ingress').length > 0;

export const ingressHealth = (ingress: KubeObject): Health => health(hasAddress(ingress) ? 'Healthy' : 'Progressing');

export function serviceHealth(service: KubeObject): Health {
  const waits = textAt(service, 'spec', 'type') === 'LoadBalancer' && !hasAddress(service);
  return health(waits ? 'Progressing' : 'Healthy');
}

export function claimHealth(claim: KubeObject): Health {
  switch (textAt(claim, 'status', 'phase')) {
    case 'Bound':
      return health('Healthy');
    case 'Pending':
      return health('Progressing');
    case 'Lost':
      return health('Degraded');
    default:
      return health('Unknown');
  }
}
