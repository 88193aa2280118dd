/** flowcontrol.apiserver.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const flowcontrol = `
FlowSchema kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ FlowSchemaSpec | 3 status+ FlowSchemaStatus
FlowSchemaSpec
  1 priorityLevelConfiguration!+ PriorityLevelConfigurationReference | 2 matchingPrecedence+ int32
  3 distinguisherMethod *FlowDistinguisherMethod | 4 rules []PolicyRulesWithSubjects
FlowDistinguisherMethod
  1 type!+ string
PriorityLevelConfigurationReference
  1 name!+ string
PolicyRulesWithSubjects
  1 subjects!+ []Subject | 2 resourceRules []ResourcePolicyRule | 3 nonResourceRules []NonResourcePolicyRule
Subject
  1 kind!+ string | 2 user *UserSubject | 3 group *GroupSubject | 4 serviceAccount *ServiceAccountSubject
UserSubject
  1 name!+ string
GroupSubject
  1 name!+ string
ServiceAccountSubject
  1 namespace!+ string | 2 name!+ string
ResourcePolicyRule
  1 verbs!+ []string set | 2 apiGroups!+ []string set | 3 resources!+ []string set | 4 clusterScope boolean
  5 namespaces+ []string set
NonResourcePolicyRule
  1 verbs!+ []string set | 6 nonResourceURLs!+ []string set
FlowSchemaStatus
  1 conditions []FlowSchemaCondition map(type) merge(type)
FlowSchemaCondition
  1 type string | 2 status string | 3 lastTransitionTime+ time | 4 reason string | 5 message string
PriorityLevelConfiguration kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ PriorityLevelConfigurationSpec | 3 status+ PriorityLevelConfigurationStatus
PriorityLevelConfigurationSpec
  1 type!+ string | 2 limited *LimitedPriorityLevelConfiguration | 3 exempt *ExemptPriorityLevelConfiguration
LimitedPriorityLevelConfiguration
  1 nominalConcurrencyShares+ *int32 | 2 limitResponse+ LimitResponse | 3 lendablePercent *int32
  4 borrowingLimitPercent *int32
ExemptPriorityLevelConfiguration
  1 nominalConcurrencyShares *int32 | 2 lendablePercent *int32
LimitResponse
  1 type!+ string | 2 queuing *QueuingConfiguration
QueuingConfiguration
  1 queues+ int32 | 2 handSize+ int32 | 3 queueLengthLimit+ int32
PriorityLevelConfigurationStatus
  1 conditions []PriorityLevelConfigurationCondition map(type) merge(type)
PriorityLevelConfigurationCondition
  1 type string | 2 status string | 3 lastTransitionTime+ time | 4 reason string | 5 message string
`;
