/** scheduling.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const scheduling = `
PriorityClass kind list
  1 metadata+ meta.ObjectMeta | 2 value+ int32 | 3 globalDefault boolean | 4 description string
  5 preemptionPolicy *string
`;
