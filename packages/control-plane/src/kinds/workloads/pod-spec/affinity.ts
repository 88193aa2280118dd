import {
  dns1123Label,
  dns1123Subdomain,
  fieldError,
  labelValue,
  qualifiedName,
  validateLabelSelector,
} from '@fairlead/apimachinery';
import { type Findings, invalid } from '../checks.ts';
import type { Leniency } from './leniency.ts';
import type {
  Affinity,
  MutableSelector,
  NodeAffinity,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
} from './types.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

export function* affinity(given: Affinity | undefined, path: string, leniency: Leniency): Findings {
  if (given?.nodeAffinity) yield* nodeAffinity(given.nodeAffinity, `${path}.nodeAffinity`, leniency);
  if (given?.podAffinity) yield* podAffinity(given.podAffinity, `${path}.podAffinity`, leniency);
  if (given?.podAntiAffinity) yield* podAffinity(given.podAntiAffinity, `${path}.podAntiAffinity`, leniency);
}

function* nodeAffinity(given: NodeAffinity, path: string, leniency: Leniency): Findings {
  const must = given[required];
  if (must) {
    const at = `${path}.${required}.nodeSelectorTerms`;
    const terms = must.nodeSelectorTerms ?? [];
    if (terms.length === 0) yield fieldError.required(at, 'must have at least one node selector term');
    for (const [index, term] of terms.entries()) {
      yield* nodeSelectorTerm(term, `${at}[${index}]`, leniency.requiredNodeAffinityValues ?? false);
    }
  }
  for (const [index, { weight, preference }] of (given[preferred] ?? []).entries()) {
    const at = `${path}.${preferred}[${index}]`;
    yield* inWeights(weight, `${at}.weight`);
    // A preference that no node can satisfy is harmless.
    yield* nodeSelectorTerm(preference ?? {}, `${at}.preference`, true);
  }
}

function* inWeights(weight: number | undefined, path: string): Findings {
  if (!weight || weight < 0 || weight > 100) yield fieldError.invalid(path, weight ?? 0, 'must be in the range 1-100');
}

/** Also for the node affinity of persistent volumes. */
export function* nodeSelectorTerm(term: NodeSelectorTerm, path: string, anyValue = false): Findings {
  for (const [index, requirement] of (term.matchExpressions ?? []).entries()) {
    yield* labelRequirement(requirement, `${path}.matchExpressions[${index}]`, anyValue);
  }
  for (const [index, requirement] of (term.matchFields ?? []).entries()) {
    yield* fieldRequirement(requirement, `${path}.matchFields[${index}]`);
  }
}

function* labelRequirement(requirement: NodeSelectorRequirement, path: string, anyValue: boolean): Findings {
  const { key = '', operator = '', values = [] } = requirement;
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      yield fieldError.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      yield fieldError.forbidden(`${path}.values`, detail);
    }
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      yield fieldError.required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'");
    }
  } else yield fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator');
  yield* invalid(`${path}.key`, key, qualifiedName(key));
  if (anyValue) return;
  for (const [index, value] of values.entries()) yield* invalid(`${path}.values[${index}]`, value, labelValue(value));
}

function* fieldRequirement({ key = '', operator = '', values = [] }: NodeSelectorRequirement, path: string): Findings {
  if (operator !== 'In' && operator !== 'NotIn') {
    yield fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator');
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    yield fieldError.required(`${path}.values`, detail);
  }
  if (key !== 'metadata.name') yield fieldError.invalid(`${path}.key`, key, 'not a valid field selector key');
  else {
    for (const [index, name] of values.entries()) {
      yield* invalid(`${path}.values[${index}]`, name, dns1123Subdomain(name));
    }
  }
}

function* podAffinity(given: PodAffinity, path: string, leniency: Leniency): Findings {
  for (const [index, term] of (given[required] ?? []).entries()) {
    yield* podAffinityTerm(term, `${path}.${required}[${index}]`, leniency);
  }
  for (const [index, { weight, podAffinityTerm: term }] of (given[preferred] ?? []).entries()) {
    const at = `${path}.${preferred}[${index}]`;
    yield* inWeights(weight, `${at}.weight`);
    yield* podAffinityTerm(term ?? {}, `${at}.podAffinityTerm`, leniency);
  }
}

function* podAffinityTerm(term: PodAffinityTerm, path: string, leniency: Leniency): Findings {
  const options = { allowInvalidValues: leniency.selectorValues ?? false };
  yield* validateLabelSelector(term.labelSelector, `${path}.labelSelector`, options);
  yield* validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`, options);
  for (const name of term.namespaces ?? []) yield* invalid(`${path}.namespace`, name, dns1123Label(name));
  yield* matchLabelKeys(term, path);
  const key = term.topologyKey ?? '';
  if (!key) yield fieldError.required(`${path}.topologyKey`, 'can not be empty');
  yield* invalid(`${path}.topologyKey`, key, qualifiedName(key));
}

/**
 * Keys whose values come from the labels of the pod. They are already in the selector, as expressions; a duplicate key was also given
 * manually.
 */
export function* matchLabelKeys(
  term: { matchLabelKeys?: string[]; mismatchLabelKeys?: string[]; labelSelector?: MutableSelector },
  path: string,
): Findings {
  const match = term.matchLabelKeys ?? [];
  yield* labelKeys(match, term.labelSelector, `${path}.matchLabelKeys`);
  yield* labelKeys(term.mismatchLabelKeys ?? [], term.labelSelector, `${path}.mismatchLabelKeys`);
  const seen = new Set(Object.keys(term.labelSelector?.matchLabels ?? {}));
  for (const { key = '' } of term.labelSelector?.matchExpressions ?? []) {
    const index = match.lastIndexOf(key);
    if (index >= 0 && seen.has(key)) {
      yield fieldError.invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector');
    }
    seen.add(key);
  }
  for (const [index, key] of match.entries()) {
    if (!term.mismatchLabelKeys?.includes(key)) continue;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    yield fieldError.invalid(`${path}.matchLabelKeys[${index}]`, key, detail);
  }
}

function* labelKeys(keys: readonly string[], selector: MutableSelector | undefined, path: string): Findings {
  if (keys.length === 0) return;
  if (!selector) return yield fieldError.forbidden(path, 'must not be specified when labelSelector is not set');
  for (const [index, key] of keys.entries()) yield* invalid(`${path}[${index}]`, key, qualifiedName(key));
}
