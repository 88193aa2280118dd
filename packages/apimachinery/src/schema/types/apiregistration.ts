/** apiregistration.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const apiregistration = `
ServiceReference
  1 namespace string | 2 name string | 3 port *int32
APIServiceSpec
  1 service *ServiceReference | 2 group string | 3 version string | 4 insecureSkipTLSVerify boolean | 5 caBundle bytes
  7 groupPriorityMinimum!+ int32 | 8 versionPriority!+ int32
APIServiceCondition
  1 type!+ string | 2 status!+ string | 3 lastTransitionTime+ time | 4 reason string | 5 message string
APIServiceStatus
  1 conditions []APIServiceCondition map(type) merge(type)
APIService kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ APIServiceSpec | 3 status+ APIServiceStatus
`;
