/** node.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const node = `
RuntimeClass kind list
  1 metadata+ meta.ObjectMeta | 2 handler!+ string | 3 overhead *Overhead | 4 scheduling *Scheduling
Overhead
  1 podFixed {}quantity
Scheduling
  1 nodeSelector {}string atomic | 2 tolerations []core.Toleration
`;
