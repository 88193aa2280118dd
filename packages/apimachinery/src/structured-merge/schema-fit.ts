import { type FieldNode, type FieldSet, nodeOf, noFields } from './field-set.ts';
import type { PathElement } from './path-element.ts';
import type { Shape } from './shape.ts';

/** The schema at the next step; undefined if it is not known. */
function shapeBelow(shape: Shape | undefined, element: PathElement): Shape | undefined {
  if (shape?.kind === 'map' && element.startsWith('f:')) {
    return shape.fields.get(element.slice(2))?.shape ?? shape.element;
  }
  return shape?.kind === 'list' && element[0] !== 'f' ? shape.item : undefined;
}

/**
 * The set with all declared parent fields of its members: `spec.replicas` adds `spec`. Map keys and list items are not added, since another
 * manager may own their presence.
 */
export function withDeclaredFields(set: FieldSet, shape: Shape | undefined): FieldSet {
  const out = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    if (!node.children) {
      out.set(element, node);
      continue;
    }
    const declared = shape?.kind === 'map' && element.startsWith('f:') && shape.fields.has(element.slice(2));
    const below = element.startsWith('v:') ? undefined : shapeBelow(shape, element);
    out.set(element, nodeOf(node.member || declared, withDeclaredFields(node.children, below)));
  }
  return out;
}

/**
 * A set that was written with another schema: if a value has become atomic since, the owner of a part owns it as a whole. In the opposite
 * case nothing changes, as on a real server. Returns the set itself if it is valid.
 */
export function fitToSchema(set: FieldSet, shape: Shape | undefined): FieldSet {
  if (!shape || shape.kind === 'scalar' || (shape.kind === 'map' && shape.deduced)) return set;
  let out: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set) {
    if (!node.children) continue;
    const fitted = fitNode(node, node.children, shapeBelow(shape, element));
    if (fitted === node) continue;
    out ??= new Map(set);
    out.set(element, fitted);
  }
  return out ?? set;
}

function fitNode(node: FieldNode, children: FieldSet, shape: Shape | undefined): FieldNode {
  const atomic =
    shape?.kind === 'any' ||
    (shape?.kind === 'list' && shape.relation === 'atomic') ||
    (shape?.kind === 'map' && shape.atomic);
  if (atomic) return nodeOf(true, noFields);
  const fitted = fitToSchema(children, shape);
  return fitted === children ? node : nodeOf(node.member, fitted);
}
