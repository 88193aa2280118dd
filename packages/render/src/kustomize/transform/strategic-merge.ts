import type { ScalarStyle } from '../../go-yaml/token.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { clearField, field, setField, WrongKindError } from '../node/fields.ts';
import { isEmpty, isNull, isPresent, Node, type NodeKind } from '../node/node.ts';
import type { MergeSchema, SchemaLookup } from '../schema/merge-schema.ts';
import { mergeAssociativeList } from './associative-list.ts';
import { setElement } from './set-element.ts';

/** The two sides of a merge; either may be absent. */
export interface Sides {
  readonly target: Node | undefined;
  readonly patch: Node | undefined;
}

/** The result; undefined if nothing is left. `keepNull` distinguishes an existing null from one that deletes. */
export interface Merged {
  readonly node: Node | undefined;
  readonly keepNull?: boolean;
}

export interface MergeContext {
  readonly schemas: SchemaLookup;
  merge(sides: Sides, schema: MergeSchema | undefined, path: readonly string[]): Merged;
}

/** Merges a patch into an object in place. Returns undefined if the patch deletes the object. */
export function strategicMerge(target: Node, patch: Node, schemas: SchemaLookup): Node | undefined {
  const context: MergeContext = {
    schemas,
    merge: (sides, schema, path) => mergeNodes(context, sides, schema, path),
  };
  return context.merge({ target, patch }, undefined, []).node;
}

function mergeNodes(
  context: MergeContext,
  sides: Sides,
  given: MergeSchema | undefined,
  path: readonly string[],
): Merged {
  const schema = given ?? schemaByKind(context, sides);
  const kind = kindOf(sides);
  for (const side of [sides.target, sides.patch])
    if (isPresent(side) && kind && side.kind !== kind) throw new WrongKindError(kind, side.kind);
  const { target, patch } = sides;
  if (target && patch && target.kind !== 'scalar' && isEmpty(target)) target.takeStyle(patch);
  switch (kind) {
    case 'scalar':
      return { node: sides.patch ?? sides.target };
    case 'sequence':
      if (!schema?.mergeKeys) return { node: sides.patch ?? sides.target };
      return { node: mergeList(context, sides, schema, path) };
    default:
      return mergeMaps(context, sides, schema, path);
  }
}

const kindOf = ({ target, patch }: Sides): NodeKind | undefined =>
  isPresent(target) ? target.kind : isPresent(patch) ? patch.kind : undefined;

/** A nested object with apiVersion and kind has that type. */
function schemaByKind({ schemas }: MergeContext, { target, patch }: Sides): MergeSchema | undefined {
  for (const side of [target, patch]) {
    const [apiVersion, kind] = [field(side, 'apiVersion')?.value, field(side, 'kind')?.value];
    const found = apiVersion && kind ? schemas(apiVersion, kind) : undefined;
    if (found) return found;
  }
  return undefined;
}

function mergeMaps(
  context: MergeContext,
  sides: Sides,
  schema: MergeSchema | undefined,
  path: readonly string[],
): Merged {
  const { node: base, keepNull } = baseOf(sides);
  if (!base || keepNull) return { node: base, ...(keepNull ? { keepNull } : {}) };
  for (const name of fieldNames(base, sides.patch)) {
    const inner = { target: field(base, name), patch: field(sides.patch, name) };
    const { node, keepNull: keep } = context.merge(inner, schema?.field(name), [...path, name]);
    setField(base, name, node, {
      keyStyle: node === inner.patch ? keyStyle(sides.patch, name) : 'plain',
      ...(keep ? { keepNull: true } : {}),
    });
  }
  return { node: base };
}

const keyStyle = (node: Node | undefined, name: string): ScalarStyle =>
  node?.entries.find(({ key }) => key.value === name)?.key.style ?? 'plain';

const fieldNames = (base: Node, patch: Node | undefined): string[] => {
  const names = new Set<string>();
  for (const node of [base, patch]) for (const { key } of node?.entries ?? []) names.add(key.value);
  return [...names].sort();
};

/** The map that receives the fields: the target, or the patch if there is no target or the patch replaces it. */
function baseOf({ target, patch }: Sides): Merged {
  if (!isPresent(target)) {
    if (patch && !isNull(patch) && takeDirective(patch) === 'delete') return { node: undefined };
    if (!patch && target && target.value !== '')
      return { node: new Node('scalar', '!!null', target.value), keepNull: true };
    return { node: patch };
  }
  if (patch && isNull(patch)) return { node: undefined };
  const directive = patch ? takeDirective(patch) : 'merge';
  if (directive === 'delete') return { node: undefined };
  return { node: directive === 'replace' ? patch : target };
}

type Directive = 'merge' | 'replace' | 'delete';
const directiveKey = '$patch';

/** Removes the `$patch` directive from the patch, and returns it. */
function takeDirective(patch: Node): Directive {
  if (patch.kind === 'scalar')
    throw new KustomizeError(`no implemented strategic merge patch strategy for '${patch.tag}' ('${patch.value}')`);
  if (patch.kind === 'map') {
    const value = field(patch, directiveKey)?.value;
    if (value === undefined) return 'merge';
    const directive = directiveOf(value);
    clearField(patch, directiveKey);
    return directive;
  }
  const element = patch.items.find((item) => field(item, directiveKey));
  const value = field(element, directiveKey)?.value;
  if (!element || value === undefined || element.entries.length > 1) return 'merge';
  const directive = directiveOf(value);
  setElement(patch, undefined, [directiveKey], [value]);
  return directive;
}

function directiveOf(value: string): Directive {
  if (value === 'merge' || value === 'replace' || value === 'delete') return value;
  throw new KustomizeError(`unknown patch strategy '${value}'`);
}

function mergeList(
  context: MergeContext,
  sides: Sides,
  schema: MergeSchema,
  path: readonly string[],
): Node | undefined {
  const { target, patch } = sides;
  if (!isPresent(target)) return patch && mergeAssociativeList(context, { target: patch, patch }, schema, path);
  if (patch && isNull(patch)) return undefined;
  const directive = patch ? takeDirective(patch) : 'merge';
  if (directive === 'delete') return undefined;
  if (directive === 'replace') return mergeAssociativeList(context, { target: patch, patch }, schema, path);
  return mergeAssociativeList(context, sides, schema, path);
}
