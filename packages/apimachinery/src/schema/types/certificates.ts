/** certificates.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const certificates = `
CertificateSigningRequest kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ CertificateSigningRequestSpec | 3 status+ CertificateSigningRequestStatus
CertificateSigningRequestSpec
  1 request!+ bytes | 7 signerName!+ string | 8 expirationSeconds *int32 | 5 usages []string | 2 username string
  3 uid string | 4 groups []string | 6 extra {}ExtraValue
CertificateSigningRequestStatus
  1 conditions []CertificateSigningRequestCondition map(type) | 2 certificate bytes
CertificateSigningRequestCondition
  1 type!+ string | 6 status!+ string | 2 reason string | 3 message string | 4 lastUpdateTime+ time
  5 lastTransitionTime+ time
`;
