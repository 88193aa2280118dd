import type { KubeObject, ResourceType } from '@fairlead/apimachinery';

export interface LeaseRecord {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

export interface Lease extends KubeObject {
  spec?: LeaseRecord;
}

export const leaseType: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

/** A time as MicroTime fields have it: six digits after the second. */
export const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
