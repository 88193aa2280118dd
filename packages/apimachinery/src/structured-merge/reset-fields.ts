import { type FieldNode, type FieldSet, fieldSet, nodeOf, noFields, recursiveDifference } from './field-set.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** The changed fields that a request through this endpoint can own. */
export type FieldFilter = (set: FieldSet) => FieldSet;

type Path = readonly string[];

export const everyField: FieldFilter = (set) => set;

/** The paths that an endpoint resets, or a custom filter. */
export type ResetFields = readonly Path[] | FieldFilter;

const filters = new WeakMap<readonly Path[], FieldFilter>();

export function toFilter(resetFields: ResetFields | undefined): FieldFilter {
  if (resetFields === undefined) return everyField;
  if (typeof resetFields === 'function') return resetFields;
  let filter = filters.get(resetFields);
  if (!filter) filters.set(resetFields, (filter = allBut(resetFields)));
  return filter;
}

/** All except these and their descendants, which the endpoint resets. */
export function allBut(paths: readonly Path[]): FieldFilter {
  if (paths.length === 0) return everyField;
  const excluded = fieldSet(...paths.map((path) => path.map(fieldElement)));
  return (set) => recursiveDifference(set, excluded);
}

/** Only the descendants of these; `*` matches any one step. */
export const nothingBut =
  (...patterns: readonly Path[]): FieldFilter =>
  (set) =>
    keep(set, patterns);

function keep(set: FieldSet, patterns: readonly Path[]): FieldSet {
  if (patterns.some((pattern) => pattern.length === 0)) return set;
  const kept = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    const below = patterns.filter(([step]) => step === '*' || fieldElement(step ?? '') === element);
    if (below.length === 0) continue;
    const children = keep(
      node.children ?? noFields,
      below.map((pattern) => pattern.slice(1)),
    );
    if (node.member || children.size > 0) kept.set(element, nodeOf(node.member, children));
  }
  return kept;
}

/** Fields that are never owned: the identity of the object, or set by the server. */
export const unownable: FieldSet = fieldSet(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', fieldElement(name)]),
);
