/** admissionregistration.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const admissionregistration = `
Rule
  1 apiGroups []string | 2 apiVersions []string | 3 resources []string | 4 scope *string
ValidatingAdmissionPolicy kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ ValidatingAdmissionPolicySpec | 3 status+ ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyStatus
  1 observedGeneration int64 | 2 typeChecking *TypeChecking | 3 conditions []meta.Condition map(type)
TypeChecking
  1 expressionWarnings []ExpressionWarning
ExpressionWarning
  2 fieldRef!+ string | 3 warning!+ string
ValidatingAdmissionPolicySpec
  1 paramKind *ParamKind | 2 matchConstraints *MatchResources | 3 validations []Validation | 4 failurePolicy *string
  5 auditAnnotations []AuditAnnotation | 6 matchConditions []MatchCondition map(name) merge(name)
  7 variables []Variable map(name) merge(name)
ParamKind atomic
  1 apiVersion string | 2 kind string
Validation
  1 expression!+ string | 2 message string | 3 reason *string | 4 messageExpression string
Variable atomic
  1 name!+ string | 2 expression!+ string
AuditAnnotation
  1 key!+ string | 2 valueExpression!+ string
ValidatingAdmissionPolicyBinding kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingSpec
  1 policyName! string | 2 paramRef *ParamRef | 3 matchResources *MatchResources | 4 validationActions! []string set
ParamRef atomic
  1 name string | 2 namespace string | 3 selector *meta.LabelSelector | 4 parameterNotFoundAction *string
MatchResources atomic
  1 namespaceSelector *meta.LabelSelector | 2 objectSelector *meta.LabelSelector
  3 resourceRules []NamedRuleWithOperations | 4 excludeResourceRules []NamedRuleWithOperations | 7 matchPolicy *string
NamedRuleWithOperations atomic
  1 resourceNames []string | 2 ...RuleWithOperations
ValidatingWebhookConfiguration kind list
  1 metadata+ meta.ObjectMeta | 2 webhooks []ValidatingWebhook map(name) merge(name)
MutatingWebhookConfiguration kind list
  1 metadata+ meta.ObjectMeta | 2 webhooks []MutatingWebhook map(name) merge(name)
ValidatingWebhook
  1 name!+ string | 2 clientConfig!+ WebhookClientConfig | 3 rules []RuleWithOperations | 4 failurePolicy *string
  9 matchPolicy *string | 5 namespaceSelector *meta.LabelSelector | 10 objectSelector *meta.LabelSelector
  6 sideEffects!+ *string | 7 timeoutSeconds *int32 | 8 admissionReviewVersions!+ []string
  11 matchConditions []MatchCondition map(name) merge(name)
MutatingWebhook
  1 name!+ string | 2 clientConfig!+ WebhookClientConfig | 3 rules []RuleWithOperations | 4 failurePolicy *string
  9 matchPolicy *string | 5 namespaceSelector *meta.LabelSelector | 11 objectSelector *meta.LabelSelector
  6 sideEffects!+ *string | 7 timeoutSeconds *int32 | 8 admissionReviewVersions!+ []string
  10 reinvocationPolicy *string | 12 matchConditions []MatchCondition map(name) merge(name)
MutatingAdmissionPolicy kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ MutatingAdmissionPolicySpec
MutatingAdmissionPolicySpec
  1 paramKind *ParamKind | 2 matchConstraints *MatchResources | 3 variables []Variable | 4 mutations []Mutation
  5 failurePolicy *string | 6 matchConditions []MatchCondition map(name) merge(name) | 7 reinvocationPolicy string
Mutation
  2 patchType!+ string | 3 applyConfiguration *ApplyConfiguration | 4 jsonPatch *JSONPatch
ApplyConfiguration
  1 expression string
JSONPatch
  1 expression string
MutatingAdmissionPolicyBinding kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingSpec
  1 policyName string | 2 paramRef *ParamRef | 3 matchResources *MatchResources
RuleWithOperations
  1 operations []string | 2 ...Rule
WebhookClientConfig
  3 url *string | 1 service *ServiceReference | 2 caBundle bytes
ServiceReference
  1 namespace!+ string | 2 name!+ string | 3 path *string | 4 port *int32
MatchCondition
  1 name!+ string | 2 expression!+ string
`;
