import type { KubeObject } from '@fairlead/apimachinery';

export interface ServicePort {
  name?: string;
  protocol?: string;
  appProtocol?: string;
  port: number;
  targetPort?: number | string;
}

export interface Service extends KubeObject {
  spec: {
    type?: string;
    selector?: Record<string, string>;
    ports?: ServicePort[];
    clusterIP?: string;
    ipFamilies?: string[];
    publishNotReadyAddresses?: boolean;
    trafficDistribution?: string;
  };
}

export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
}

export const headlessLabel = 'service.kubernetes.io/headless';
export const lastChangeTrigger = 'endpoints.kubernetes.io/last-change-trigger-time';

export const hasAddress = ({ spec }: Service): boolean => Boolean(spec.clusterIP) && spec.clusterIP !== 'None';

/** Services that have manual endpoints, or none. */
export const selectsPods = ({ spec }: Service): boolean => spec.type !== 'ExternalName' && spec.selector !== undefined;

export const isV6 = (address: string): boolean => address.includes(':');
