import { globMatcher } from '@fairlead/render';

/** One entry of `resource.exclusions` or `resource.inclusions`: an absent field matches everything. */
export interface FilteredResource {
  /** Globs. */
  readonly apiGroups?: readonly string[];
  readonly kinds?: readonly string[];
  /** Globs for the addresses of clusters. */
  readonly clusters?: readonly string[];
}

export interface ResourceFilter {
  readonly exclusions: readonly FilteredResource[];
  readonly inclusions: readonly FilteredResource[];
}

/** Kinds that change constantly, are never in a target state and are shown in no tree. No setting includes them. */
const never: readonly FilteredResource[] = [
  { apiGroups: ['events.k8s.io', 'metrics.k8s.io'] },
  { apiGroups: [''], kinds: ['Event'] },
  { apiGroups: ['coordination.k8s.io'], kinds: ['Lease'] },
];

/** The default exclusions of the manifests of Argo CD. */
export const defaultFilter: ResourceFilter = {
  exclusions: [
    { apiGroups: ['', 'discovery.k8s.io'], kinds: ['Endpoints', 'EndpointSlice'] },
    { apiGroups: ['authentication.k8s.io', 'authorization.k8s.io'], kinds: ['*'] },
    { apiGroups: ['certificates.k8s.io'], kinds: ['CertificateSigningRequest'] },
    { apiGroups: ['cert-manager.io'], kinds: ['CertificateRequest'] },
    { apiGroups: ['cilium.io'], kinds: ['CiliumIdentity', 'CiliumEndpoint', 'CiliumEndpointSlice'] },
    {
      apiGroups: ['kyverno.io', 'reports.kyverno.io', 'wgpolicyk8s.io'],
      kinds: [
        'PolicyReport',
        'ClusterPolicyReport',
        'EphemeralReport',
        'ClusterEphemeralReport',
        'AdmissionReport',
        'ClusterAdmissionReport',
        'BackgroundScanReport',
        'ClusterBackgroundScanReport',
        'UpdateRequest',
      ],
    },
  ],
  inclusions: [],
};

export type IsExcluded = (group: string, kind: string) => boolean;

/** Which kinds of a cluster are excluded: neither watched, nor compared, nor applied. */
export function excludedIn(server: string, { exclusions, inclusions }: ResourceFilter): IsExcluded {
  const excluded = [...never, ...exclusions].filter((entry) => isIn(entry, server)).map(kindMatcher);
  const here = inclusions.filter((entry) => isIn(entry, server));
  const included = here.map(kindMatcher);
  return (group, kind) => {
    if (excluded.some((matches) => matches(group, kind))) return true;
    return here.length > 0 && !included.some((matches) => matches(group, kind));
  };
}

const isIn = ({ clusters }: FilteredResource, server: string): boolean =>
  !clusters?.length || clusters.some((pattern) => globMatcher(pattern)(server));

function kindMatcher({ apiGroups = [], kinds = [] }: FilteredResource): (group: string, kind: string) => boolean {
  const groups = apiGroups.map((pattern) => globMatcher(pattern));
  return (group, kind) =>
    (groups.length === 0 || groups.some((matches) => matches(group))) &&
    (kinds.length === 0 || kinds.includes('*') || kinds.includes(kind));
}
