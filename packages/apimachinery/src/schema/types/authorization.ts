/** authorization.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const authorization = `
SubjectAccessReview kind
  1 metadata+ meta.ObjectMeta | 2 spec!+ SubjectAccessReviewSpec | 3 status+ SubjectAccessReviewStatus
SelfSubjectAccessReview kind
  1 metadata+ meta.ObjectMeta | 2 spec!+ SelfSubjectAccessReviewSpec | 3 status+ SubjectAccessReviewStatus
LocalSubjectAccessReview kind
  1 metadata+ meta.ObjectMeta | 2 spec!+ SubjectAccessReviewSpec | 3 status+ SubjectAccessReviewStatus
ResourceAttributes
  1 namespace string | 2 verb string | 3 group string | 4 version string | 5 resource string | 6 subresource string
  7 name string | 8 fieldSelector *FieldSelectorAttributes | 9 labelSelector *LabelSelectorAttributes
LabelSelectorAttributes
  1 rawSelector string | 2 requirements []meta.LabelSelectorRequirement
FieldSelectorAttributes
  1 rawSelector string | 2 requirements []meta.FieldSelectorRequirement
NonResourceAttributes
  1 path string | 2 verb string
SubjectAccessReviewSpec
  1 resourceAttributes *ResourceAttributes | 2 nonResourceAttributes *NonResourceAttributes | 3 user string
  4 groups []string | 5 extra {}ExtraValue | 6 uid string
SelfSubjectAccessReviewSpec
  1 resourceAttributes *ResourceAttributes | 2 nonResourceAttributes *NonResourceAttributes
SubjectAccessReviewStatus
  1 allowed!+ boolean | 4 denied boolean | 2 reason string | 3 evaluationError string
SelfSubjectRulesReview kind
  1 metadata+ meta.ObjectMeta | 2 spec!+ SelfSubjectRulesReviewSpec | 3 status+ SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec
  1 namespace string
SubjectRulesReviewStatus
  1 resourceRules!+ []ResourceRule | 2 nonResourceRules!+ []NonResourceRule | 3 incomplete!+ boolean
  4 evaluationError string
ResourceRule
  1 verbs!+ []string | 2 apiGroups []string | 3 resources []string | 4 resourceNames []string
NonResourceRule
  1 verbs!+ []string | 2 nonResourceURLs []string
`;
