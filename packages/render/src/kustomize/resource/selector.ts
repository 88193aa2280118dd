import { goFullMatch } from '../go-reg-exp.ts';
import { selectorMatches } from './label-selector.ts';
import { effectiveNamespace, type Gvk } from './res-id.ts';
import type { Resource } from './resource.ts';

/** Selects objects. The parts of an id are patterns that must match in full; empty ones match everything. */
export interface Selector {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly annotationSelector?: string;
  readonly labelSelector?: string;
}

export interface CompiledSelector {
  gvk(gvk: Gvk): boolean;
  name(name: string): boolean;
  namespace(namespace: string): boolean;
}

export function compileSelector(selector: Selector): CompiledSelector {
  const group = goFullMatch(selector.group ?? '');
  const version = goFullMatch(selector.version ?? '');
  const kind = goFullMatch(selector.kind ?? '');
  return {
    gvk: (gvk) => group(gvk.group) && version(gvk.version) && kind(gvk.kind),
    name: goFullMatch(selector.name ?? ''),
    namespace: goFullMatch(selector.namespace ?? ''),
  };
}

export const matchesMetadata = (resource: Resource, selector: Selector): boolean =>
  selectorMatches(resource.labels, selector.labelSelector ?? '') &&
  selectorMatches(resource.annotations, selector.annotationSelector ?? '');

/** Selects by the original or the current name and namespace. */
export function selectResources(resources: readonly Resource[], selector: Selector): Resource[] {
  const matches = compileSelector(selector);
  return resources.filter((resource) => {
    const { id, originalId } = resource;
    return (
      (matches.namespace(effectiveNamespace(originalId)) || matches.namespace(effectiveNamespace(id))) &&
      (matches.name(originalId.name) || matches.name(id.name)) &&
      matches.gvk(id) &&
      matchesMetadata(resource, selector)
    );
  });
}
