/** rbac.authorization.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const rbac = `
PolicyRule
  1 verbs!+ []string | 2 apiGroups []string | 3 resources []string | 4 resourceNames []string
  5 nonResourceURLs []string
Subject atomic
  1 kind!+ string | 2 apiGroup string | 3 name!+ string | 4 namespace string
RoleRef atomic
  1 apiGroup+ string | 2 kind!+ string | 3 name!+ string
Role kind list
  1 metadata+ meta.ObjectMeta | 2 rules+ []PolicyRule
RoleBinding kind list
  1 metadata+ meta.ObjectMeta | 2 subjects []Subject | 3 roleRef!+ RoleRef
ClusterRole kind list
  1 metadata+ meta.ObjectMeta | 2 rules+ []PolicyRule | 3 aggregationRule *AggregationRule
AggregationRule
  1 clusterRoleSelectors []meta.LabelSelector
ClusterRoleBinding kind list
  1 metadata+ meta.ObjectMeta | 2 subjects []Subject | 3 roleRef!+ RoleRef
`;
