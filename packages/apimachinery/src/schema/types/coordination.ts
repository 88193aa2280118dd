/** coordination.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const coordination = `
Lease kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ LeaseSpec
LeaseSpec
  1 holderIdentity *string | 2 leaseDurationSeconds *int32 | 3 acquireTime *micro-time | 4 renewTime *micro-time
  5 leaseTransitions *int32 | 6 strategy *string | 7 preferredHolder *string
`;
