import type { MirroredKind, MirroredObject } from './kinds.ts';
import { isByDestination, namespaceOf, type Side } from './side.ts';

/**
 * Objects go by one name on both sides. It is that of the object where it stands in its side's default namespace; an Application in
 * another namespace goes by NAMESPACE/NAME, and stands in that namespace on the agent's cluster too.
 */
export function linkName(side: Side, kind: MirroredKind, { metadata: { name, namespace } }: MirroredObject): string {
  return namespace === undefined || namespace === namespaceOf(side, kind) ? name : `${namespace}/${name}`;
}

/** The namespace that a name has, where it is not the usual one, and the rest of it. */
export function splitName(name: string): { readonly place?: string; readonly plain: string } {
  const at = name.indexOf('/');
  return at < 0 ? { plain: name } : { place: name.slice(0, at), plain: name.slice(at + 1) };
}

export const qualifiedName = (place: string | undefined, plain: string): string =>
  place === undefined ? plain : `${place}/${plain}`;

/** Where an object of this name is on this side. */
export function locationOf(side: Side, kind: MirroredKind, name: string): { namespace: string; name: string } {
  const { place, plain } = splitName(name);
  return { namespace: place ?? namespaceOf(side, kind), name: plain };
}

/** Whether a side may have Applications outside its default namespace at all. */
export const hasOtherNamespaces = (side: Side): boolean =>
  (side.namespaces?.length ?? 0) > 0 && (isByDestination(side) || (side.role === 'agent' && side.mode === 'managed'));

/** Whether an object of a kind may be part of the link in this namespace. */
export function isLinkedNamespace(side: Side, kind: MirroredKind, namespace: string | undefined): boolean {
  if (namespace === namespaceOf(side, kind)) return true;
  if (namespace === undefined || kind !== 'Application' || !hasOtherNamespaces(side)) return false;
  return !side.isTaken?.(namespace) && side.namespaces!.some((pattern) => matchesName(pattern, namespace));
}

/** Why an object of this name cannot be here; undefined when it can. */
export function namespaceProblem(side: Side, kind: MirroredKind, name: string): string | undefined {
  const { place } = splitName(name);
  if (place === undefined) return undefined;
  if (place === namespaceOf(side, kind))
    return `in namespace ${place} of its cluster it would stand among the Applications of the control plane`;
  if (isLinkedNamespace(side, kind, place)) return undefined;
  return `its cluster takes no Applications in namespace ${place}: start the agent with --application-namespaces ${place}`;
}

/** `*` and `?` stand for any letters; between slashes it is a regular expression, as in Argo CD. */
export function matchesName(pattern: string, text: string): boolean {
  if (/^\/.+\/$/u.test(pattern)) return matchesExpression(pattern.slice(1, -1), text);
  const literal = pattern.replace(/[.+^${}()|[\]\\]/gu, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su').test(text);
}

function matchesExpression(source: string, text: string): boolean {
  try {
    return new RegExp(source, 'u').test(text);
  } catch {
    return false;
  }
}
