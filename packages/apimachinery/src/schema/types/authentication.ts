/** authentication.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const authentication = `
TokenReview kind
  1 metadata+ meta.ObjectMeta | 2 spec!+ TokenReviewSpec | 3 status+ TokenReviewStatus
TokenReviewSpec
  1 token! string | 2 audiences []string
TokenReviewStatus
  1 authenticated boolean | 2 user+ UserInfo | 4 audiences []string | 3 error string
UserInfo
  1 username string | 2 uid string | 3 groups []string | 4 extra {}ExtraValue
TokenRequest kind
  1 metadata+ meta.ObjectMeta | 2 spec+ TokenRequestSpec | 3 status+ TokenRequestStatus
TokenRequestSpec
  1 audiences+ []string | 4 expirationSeconds+ *int64 | 3 boundObjectRef+ *BoundObjectReference
TokenRequestStatus
  1 token+ string | 2 expirationTimestamp+ time
BoundObjectReference
  1 kind string | 2 apiVersion string | 3 name string | 4 uid string
SelfSubjectReview kind
  1 metadata+ meta.ObjectMeta | 2 status+ SelfSubjectReviewStatus
SelfSubjectReviewStatus
  1 userInfo+ UserInfo
`;
