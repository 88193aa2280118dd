/** networking.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const networking = `
NetworkPolicy kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ NetworkPolicySpec
NetworkPolicySpec
  1 podSelector+ meta.LabelSelector | 2 ingress []NetworkPolicyIngressRule | 3 egress []NetworkPolicyEgressRule
  4 policyTypes []string
NetworkPolicyIngressRule
  1 ports []NetworkPolicyPort | 2 from []NetworkPolicyPeer
NetworkPolicyEgressRule
  1 ports []NetworkPolicyPort | 2 to []NetworkPolicyPeer
NetworkPolicyPort
  1 protocol *string | 2 port *int-or-string | 3 endPort *int32
IPBlock
  1 cidr!+ string | 2 except []string
NetworkPolicyPeer
  1 podSelector *meta.LabelSelector | 2 namespaceSelector *meta.LabelSelector | 3 ipBlock *IPBlock
Ingress kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ IngressSpec | 3 status+ IngressStatus
IngressSpec
  4 ingressClassName *string | 1 defaultBackend *IngressBackend | 2 tls []IngressTLS | 3 rules []IngressRule
IngressTLS
  1 hosts []string | 2 secretName string
IngressStatus
  1 loadBalancer+ IngressLoadBalancerStatus
IngressLoadBalancerStatus
  1 ingress []IngressLoadBalancerIngress
IngressLoadBalancerIngress
  1 ip string | 2 hostname string | 4 ports []IngressPortStatus
IngressPortStatus
  1 port!+ int32 | 2 protocol!+ string | 3 error *string
IngressRule
  1 host string | 2 ...IngressRuleValue
IngressRuleValue
  1 http *HTTPIngressRuleValue
HTTPIngressRuleValue
  1 paths!+ []HTTPIngressPath
HTTPIngressPath
  1 path string | 3 pathType!+ *string | 2 backend!+ IngressBackend
IngressBackend
  4 service *IngressServiceBackend | 3 resource *core.TypedLocalObjectReference
IngressServiceBackend
  1 name!+ string | 2 port+ ServiceBackendPort
ServiceBackendPort atomic
  1 name string | 2 number int32
IngressClass kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ IngressClassSpec
IngressClassSpec
  1 controller string | 2 parameters *IngressClassParametersReference
IngressClassParametersReference
  1 apiGroup *string | 2 kind!+ string | 3 name!+ string | 4 scope+ *string | 5 namespace *string
IPAddress kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ IPAddressSpec
IPAddressSpec
  1 parentRef! *ParentReference
ParentReference
  1 group string | 2 resource! string | 3 namespace string | 4 name! string
ServiceCIDR kind list
  1 metadata+ meta.ObjectMeta | 2 spec+ ServiceCIDRSpec | 3 status+ ServiceCIDRStatus
ServiceCIDRSpec
  1 cidrs []string
ServiceCIDRStatus
  1 conditions []meta.Condition map(type) merge(type)
`;
