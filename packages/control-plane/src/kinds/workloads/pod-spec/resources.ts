import {
  containerLimits,
  containerRequests,
  dns1123Label,
  fieldError,
  isHugePages,
  isPodLevel,
  mayOvercommit,
} from '@fairlead/apimachinery';
import { type Findings, invalid, notNegative, unsupported } from '../checks.ts';
import { containerResourceName, isInteger, resourceName } from '../resources/names.ts';
import { compare, isMultipleOf, isNegative, isWhole } from '../resources/resource-list.ts';
import type { Leniency } from './leniency.ts';
import type { PodSpec, ResourceList, ResourceRequirements } from './types.ts';

type NameCheck = (name: string, path: string) => Findings;

export const containerNameCheck: NameCheck = (name, path) => invalid(path, name, containerResourceName(name));

function* podNameCheck(name: string, path: string): Findings {
  const messages = resourceName(name);
  yield* invalid(path, name, messages);
  if (messages.length === 0 && !isPodLevel(name)) yield unsupported(path, name, ['cpu', 'hugepages-', 'memory']);
}

export function* quantity(name: string, value: string, path: string): Findings {
  if (isNegative(value)) yield fieldError.invalid(path, value, notNegative);
  if (isInteger(name) && !isWhole(value)) yield fieldError.invalid(path, value, 'must be an integer');
}

export interface Claims {
  /** Resource claims of the pod, which its containers may refer to. */
  readonly names: readonly string[];
}

export function* requirements(
  { limits = {}, requests = {}, claims }: ResourceRequirements,
  path: string,
  declared: Claims,
  leniency: Leniency,
  nameCheck: NameCheck = containerNameCheck,
): Findings {
  for (const [name, value] of Object.entries(limits)) {
    const at = `${path}.limits[${name}]`;
    yield* nameCheck(name, at);
    yield* quantity(name, value, at);
    yield* wholePages(name, value, at, leniency);
  }
  for (const [name, value] of Object.entries(requests)) {
    const at = `${path}.requests[${name}]`;
    yield* nameCheck(name, at);
    yield* quantity(name, value, at);
    yield* withinLimit(name, value, limits, path);
    yield* wholePages(name, value, at, leniency);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    yield fieldError.forbidden(path, 'HugePages require cpu or memory');
  }
  yield* claimReferences(claims ?? [], declared, `${path}.claims`);
}

function* withinLimit(name: string, value: string, limits: ResourceList, path: string): Findings {
  const limit = limits[name];
  if (limit === undefined) {
    if (!mayOvercommit(name)) {
      yield fieldError.required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
    }
    return;
  }
  const order = compare(value, limit);
  if (order !== 0 && !mayOvercommit(name)) {
    yield fieldError.invalid(`${path}.requests`, value, `must be equal to ${name} limit of ${limit}`);
  } else if (order > 0) {
    yield fieldError.invalid(`${path}.requests`, value, `must be less than or equal to ${name} limit of ${limit}`);
  }
}

function* wholePages(name: string, value: string, path: string, leniency: Leniency): Findings {
  if (!isHugePages(name) || leniency.brokenHugePages) return;
  if (!isMultipleOf(value, name.slice('hugepages-'.length))) {
    yield fieldError.invalid(path, value, `${value} is not positive integer multiple of ${name}`);
  }
}

function* claimReferences(
  claims: NonNullable<ResourceRequirements['claims']>,
  { names }: Claims,
  path: string,
): Findings {
  const seen = new Set<string>();
  for (const [index, { name = '', request = '' }] of claims.entries()) {
    const at = `${path}[${index}]`;
    if (!name) {
      yield fieldError.required(at);
      continue;
    }
    if (seen.has(name)) yield fieldError.duplicate(at, name);
    else {
      if (request) yield* invalid(`${at}.request`, request, dns1123Label(request));
      const key = request ? `${name}/${request}` : name;
      if (seen.has(key)) yield fieldError.duplicate(at, key);
      else if (!request) {
        for (const other of seen) if (other.startsWith(`${name}/`)) yield fieldError.duplicate(at, name);
      }
      seen.add(key);
    }
    if (!names.includes(name)) {
      const known = names.length === 0 ? ' which is empty' : `: ${[...names].sort().join(', ')}`;
      const error = fieldError.notFound(at, name);
      yield { ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${known}` };
    }
  }
}

/** Pod-level resources, compared with those of its containers. */
export function* podResources(spec: PodSpec, path: string, declared: Claims, leniency: Leniency): Findings {
  const whole = spec.resources;
  if (!whole) return;
  if (spec.os?.name === 'windows') return yield fieldError.forbidden(path, 'may not be set for a windows pod');
  if (whole.claims) yield fieldError.forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level');
  yield* requirements(whole, path, declared, leniency, podNameCheck);

  for (const [name, total] of Object.entries(containerRequests(spec))) {
    const own = whole.requests?.[name];
    if (own === undefined || compare(total, own) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${total}`;
    yield fieldError.invalid(`${path}.requests[${name}]`, own, detail);
  }
  for (const [name, total] of Object.entries(containerLimits(spec))) {
    const own = whole.limits?.[name];
    if (!isHugePages(name) || own === undefined || compare(total, own) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container limits of ${total}`;
    yield fieldError.invalid(`${path}.limits[${name}]`, own, detail);
  }
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const own = whole.limits?.[name];
      if (own === undefined || compare(limit, own) <= 0) continue;
      const at = `${path}.containers[${index}][${name}].limits`;
      yield fieldError.invalid(at, limit, `must be less than or equal to pod limits of ${own}`);
    }
  }
}
