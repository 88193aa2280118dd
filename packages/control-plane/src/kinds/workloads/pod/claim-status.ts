import { dns1123Label, dns1123Subdomain, fieldError } from '@fairlead/apimachinery';
import { type Findings, invalid } from '../checks.ts';
import type { CompletePod } from './pod.ts';

/** The claims generated for the resource claims of the pod. */
export function* claimStatuses({ status, spec }: CompletePod): Findings {
  const seen = new Set<string>();
  for (const [index, { name = '', resourceClaimName: claim }] of (status.resourceClaimStatuses ?? []).entries()) {
    const at = `status.resourceClaimStatuses[${index}]`;
    if (!spec.resourceClaims?.some((each) => each.name === name)) {
      yield fieldError.invalid(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`');
    }
    if (seen.has(name)) yield fieldError.duplicate(`${at}.name`, name);
    seen.add(name);
    if (claim != null) yield* invalid(`${at}.resourceClaimName`, claim, dns1123Subdomain(claim));
  }
}

/** The claim generated for extended resources backed by devices. */
export function* extendedClaimStatus({ status, spec }: CompletePod): Findings {
  const given = status.extendedResourceClaimStatus;
  if (!given) return;
  const path = 'status.extendedResourceClaimStatus';
  const mappings = given.requestMappings ?? [];
  if (mappings.length === 0) {
    yield fieldError.required(`${path}.requestMappings`, 'at least one request mapping is required');
  }
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const seen = new Set<string>();
  for (const [index, { containerName = '', resourceName = '', requestName = '' }] of mappings.entries()) {
    const at = `${path}.requestMappings[${index}]`;
    const container = containers.find((each) => each.name === containerName);
    if (!container) {
      const detail = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
      yield fieldError.invalid(`${at}.containerName`, containerName, detail);
    } else if (!(resourceName in (container.resources?.requests ?? {}))) {
      const detail =
        'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
      yield fieldError.invalid(`${at}.resourceName`, resourceName, detail);
    }
    yield* invalid(`${path}.requestName`, requestName, dns1123Label(requestName));
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      yield fieldError.duplicate(`${at}.containerName`, containerName);
      yield fieldError.duplicate(`${at}.resourceName`, resourceName);
      yield fieldError.duplicate(`${at}.requestName`, requestName);
    }
    seen.add(key);
  }
  const claim = given.resourceClaimName;
  if (!claim) yield fieldError.required(`${path}.resourceClaimName`);
  else yield* invalid(`${path}.resourceClaimName`, claim, dns1123Subdomain(claim));
}
