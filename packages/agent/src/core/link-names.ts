import type { MirroredKind, MirroredObject } from './kinds.ts';
import { isByDestination, namespaceOf, type Side } from './side.ts';

/**
 * An object has one name on the link, the same for both sides: its own name in the default namespace of its side, and NAMESPACE/NAME
 * for an Application in another namespace, which is in that namespace on the agent's cluster too.
 */
export function linkName(side: Side, kind: MirroredKind, { metadata: { name, namespace } }: MirroredObject): string {
  return namespace === undefined || namespace === namespaceOf(side, kind) ? name : `${namespace}/${name}`;
}

/** Splits a name on the link into its namespace, if it has one, and the name of the object. */
export function splitName(name: string): { readonly namespace?: string; readonly plain: string } {
  const at = name.indexOf('/');
  return at < 0 ? { plain: name } : { namespace: name.slice(0, at), plain: name.slice(at + 1) };
}

export const qualifiedName = (namespace: string | undefined, plain: string): string =>
  namespace === undefined ? plain : `${namespace}/${plain}`;

/** The namespace and name, on this side, of the object with this name on the link. */
export function locationOf(side: Side, kind: MirroredKind, name: string): { namespace: string; name: string } {
  const { namespace, plain } = splitName(name);
  return { namespace: namespace ?? namespaceOf(side, kind), name: plain };
}

/** Whether a side may have Applications outside its default namespace. */
export const hasOtherNamespaces = (side: Side): boolean =>
  (side.namespaces?.length ?? 0) > 0 && (isByDestination(side) || (side.role === 'agent' && side.mode === 'managed'));

/** Whether objects of a kind in this namespace can be part of the link. */
export function isLinkedNamespace(side: Side, kind: MirroredKind, namespace: string | undefined): boolean {
  if (namespace === namespaceOf(side, kind)) return true;
  if (namespace === undefined || kind !== 'Application' || !hasOtherNamespaces(side)) return false;
  return !side.isTaken?.(namespace) && (side.namespaces ?? []).some((pattern) => matchesName(pattern, namespace));
}

/** Why an object with this name cannot be here; undefined if it can. */
export function namespaceProblem(side: Side, kind: MirroredKind, name: string): string | undefined {
  const { namespace } = splitName(name);
  if (namespace === undefined) return undefined;
  if (namespace === namespaceOf(side, kind))
    return `namespace ${namespace} is the control plane's namespace on the agent's cluster: move the Application to another namespace`;
  if (isLinkedNamespace(side, kind, namespace)) return undefined;
  return `the agent's cluster does not accept Applications in namespace ${namespace}: start the agent with --application-namespaces ${namespace}`;
}

/** `*` and `?` match any characters; a pattern between slashes is a regular expression, as in Argo CD. */
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
