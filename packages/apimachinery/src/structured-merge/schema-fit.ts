import { type FieldNode, type FieldSet, nodeOf, noFields } from './field-set.ts';
import type { PathElement } from './path-element.ts';
import type { Shape } from './shape.ts';

/** The shape of what stands at one step below; undefined where the schema does not say. */
function shapeBelow(shape: Shape | undefined, element: PathElement): Shape | undefined {
  if (shape?.kind === 'map' && element.startsWith('f:')) {
    return shape.fields.get(element.slice(2))?.shape ?? shape.element;
  }
  return shape?.kind === 'list' && element[0] !== 'f' ? shape.item : undefined;
}

/**
 * The set with every declared field in it that holds a member: `spec.replicas` brings `spec`. Keys of maps and items of
 * lists are not brought, as their mere presence may be another's.
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
 * A set that was written under another schema: where a value has become atomic since, the owner of a part of it owns
 * it as a whole. The other way round nothing is done, as on a real server. Gives back the set itself where it fits.
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
