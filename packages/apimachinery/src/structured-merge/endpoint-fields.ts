import { allBut, type FieldFilter, nothingBut } from './reset-fields.ts';

/** The properties of a resource that determine which fields its endpoints reset. */
export interface Endpoint {
  readonly group: string;
  readonly plural: string;
  readonly hasStatus: boolean;
  readonly custom?: boolean;
}

const noStatus = allBut([['status']]);
const noSpec = allBut([['spec']]);
const noSpecNorMetadata = allBut([['spec'], ['metadata']]);
const nothingReset = allBut([]);

/** Endpoints with special reset fields: `plural.group/subresource`. */
const special: Readonly<Record<string, FieldFilter>> = {
  'certificatesigningrequests.certificates.k8s.io': allBut([['spec'], ['status']]),
  'certificatesigningrequests.certificates.k8s.io/status': allBut([['spec'], ['status', 'conditions']]),
  'certificatesigningrequests.certificates.k8s.io/approval': allBut([['spec'], ['status', 'certificate']]),
  'deployments.apps/status': allBut([['spec'], ['metadata', 'labels']]),
  'namespaces./finalize': noStatus,
  'pods./status': allBut([['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']]),
  'pods./ephemeralcontainers': nothingBut(['spec', 'ephemeralContainers']),
  'pods./resize': nothingBut(
    ...['containers', 'initContainers'].flatMap((list) =>
      ['resources', 'resizePolicy'].map((field) => ['spec', list, '*', field]),
    ),
  ),
};

/** Kinds whose status endpoint does not change metadata, as for every custom resource. */
const statusOnly: ReadonlySet<string> = new Set([
  'customresourcedefinitions.apiextensions.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'servicecidrs.networking.k8s.io',
  'resourceclaims.resource.k8s.io',
  'volumeattachments.storage.k8s.io',
]);

/** The fields that a write through an endpoint can own. */
export function ownableAt({ group, plural, hasStatus, custom }: Endpoint, subresource: string): FieldFilter {
  const name = `${plural}.${group}`;
  const own = special[subresource === '' ? name : `${name}/${subresource}`];
  if (own) return own;
  if (subresource === 'status') return custom || statusOnly.has(name) ? noSpecNorMetadata : noSpec;
  return subresource === '' && hasStatus ? noStatus : nothingReset;
}
