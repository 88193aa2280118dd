import type { FieldSpec } from '../config/field-spec.ts';
import { KustomizeError, within } from '../kustomize-error.ts';
import { lookup, lookupCreate } from '../node/lookup.ts';
import { isNull, type Node, type NodeKind } from '../node/node.ts';
import { splitPath } from '../node/path.ts';
import { idText, isSelected } from '../resource/res-id.ts';
import type { Resource } from '../resource/resource.ts';

export interface FieldSetter {
  /** Called with each node at the end of the path. */
  readonly set: (node: Node) => void;
  /** The kind of node to create at the end of the path if the spec asks for it. */
  readonly createKind?: NodeKind;
  readonly createTag?: string;
}

/** Calls the setter with the nodes at the spec's path. Lists along the path are followed into each element. */
export function applyFieldSpec(resource: Resource, spec: FieldSpec, setter: FieldSetter): void {
  if (!resource.node || !isSelected(resource.id, spec)) return;
  const { node } = resource;
  within(
    () => `considering field '${spec.path}' of object ${idText(resource.id)}`,
    () => follow(node, splitPath(spec.path, '/'), spec, setter),
  );
}

export function applyFieldSpecs(resource: Resource, specs: readonly FieldSpec[], setter: FieldSetter): void {
  for (const spec of specs) applyFieldSpec(resource, spec, setter);
}

function follow(node: Node, path: readonly string[], spec: FieldSpec, setter: FieldSetter): void {
  if (path.length === 0) return setter.set(node);
  if (isNull(node)) return;
  if (node.kind === 'sequence') for (const item of node.items) follow(item, path, spec, setter);
  else if (node.kind === 'map') followField(node, path, spec, setter);
  else throw new KustomizeError('expected sequence or mapping node');
}

function followField(node: Node, [part = '', ...rest]: readonly string[], spec: FieldSpec, setter: FieldSetter): void {
  const isList = part.endsWith('[]');
  const name = isList ? part.slice(0, -2) : part;
  if (name === '') throw new KustomizeError('cannot set or create an empty field name');
  const atEnd = rest.length === 0;
  const createKind: NodeKind | undefined =
    spec.create === true && setter.createKind !== undefined && !isList
      ? atEnd
        ? setter.createKind
        : 'map'
      : undefined;
  const found = within(`fieldName: ${name}`, () =>
    createKind ? lookupCreate(node, [name], createKind) : lookup(node, [name]),
  );
  if (!found) return;
  const kind = isList ? 'sequence' : createKind;
  const tag = !createKind ? '' : atEnd ? (setter.createTag ?? '') : '!!map';
  if (isNull(found) && kind) found.become(kind, tag);
  follow(found, rest, spec, setter);
}
