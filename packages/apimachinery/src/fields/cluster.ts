import type { KubeObject } from '../meta/object.ts';
import type { LabelSelector } from '../validation/labels.ts';
import type { ResourceList } from './pod-spec.ts';

export interface TaintFields {
  key?: string;
  value?: string;
  effect?: string;
  timeAdded?: string;
}

export interface NodeFields extends KubeObject {
  spec?: {
    podCIDR?: string;
    podCIDRs?: string[];
    providerID?: string;
    externalID?: string;
    taints?: TaintFields[];
    configSource?: unknown;
  };
  status?: {
    capacity?: ResourceList;
    allocatable?: ResourceList;
    addresses?: { type?: string; address?: string }[];
    nodeInfo?: { swap?: { capacity?: number } };
    declaredFeatures?: string[];
    config?: unknown;
  };
}

export interface LimitRangeItem {
  type?: string;
  max?: ResourceList;
  min?: ResourceList;
  default?: ResourceList;
  defaultRequest?: ResourceList;
  maxLimitRequestRatio?: ResourceList;
}

export interface LimitRangeFields extends KubeObject {
  spec?: { limits?: LimitRangeItem[] | null };
}

export interface EndpointPort {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

export interface RoleBindingFields extends KubeObject {
  subjects?: { kind?: string; apiGroup?: string; name?: string; namespace?: string }[];
  roleRef?: { apiGroup?: string; kind?: string; name?: string };
}

export interface PriorityClassFields extends KubeObject {
  value?: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

export interface NetworkPolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

export interface NetworkPolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: { cidr?: string; except?: string[] };
}

export interface NetworkPolicySpec {
  podSelector?: LabelSelector;
  ingress?: { from?: NetworkPolicyPeer[]; ports?: NetworkPolicyPort[] }[];
  egress?: { to?: NetworkPolicyPeer[]; ports?: NetworkPolicyPort[] }[];
  policyTypes?: string[];
}

export interface NetworkPolicyFields extends KubeObject {
  spec?: NetworkPolicySpec;
}
