import { createHash, hash } from 'node:crypto';
import { textAt } from '@fairlead/apimachinery';
import { annotation, type MirroredObject } from './kinds.ts';

/** Annotations that describe one copy of an object, and not the object. */
const ofOneCopy = new Set<string>([
  annotation.sourceUid,
  annotation.principalUid,
  annotation.refresh,
  'argocd.argoproj.io/hydrate',
  'argocd.argoproj.io/namespace-remapped',
  'kubectl.kubernetes.io/last-applied-configuration',
  'notified.notifications.argoproj.io',
]);

export const isDeclaredAnnotation = (name: string): boolean =>
  !ofOneCopy.has(name) && !name.startsWith('fairlead.dev/');

/** The declared part of an object, which must be equal on both sides. */
export interface Declared {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly body: unknown;
  readonly type?: string;
}

export function declaredOf(object: MirroredObject): Declared {
  const { labels = {}, annotations = {}, finalizers = [] } = object.metadata;
  return {
    labels,
    annotations: Object.fromEntries(Object.entries(annotations).filter(([name]) => isDeclaredAnnotation(name))),
    finalizers: [...finalizers].sort(),
    body: object.spec ?? object.data ?? {},
    ...(object.type ? { type: object.type } : {}),
  };
}

export const isTerminating = (object: MirroredObject): boolean => object.metadata.deletionTimestamp !== undefined;

/** JSON with sorted keys and without undefined values. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = value as Record<string, unknown>;
  let text = '';
  for (const name of Object.keys(fields).sort()) {
    const inner = fields[name];
    if (inner !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(inner)}`;
  }
  return `{${text}}`;
}

export const digest = (text: string): string => hash('sha256', text, 'base64url');

/** The condition with the reason why the peer's cluster does not have an Application. */
export const agentError = 'AgentError';

/** An operation that the hub ended itself, because it could not be sent to the agent. */
export const isSetByHub = (state: unknown): boolean => {
  return textAt(state, 'phase') === 'Error' && textAt(state, 'message').startsWith('agent ');
};

/** A status without what the hub adds to its copy. */
function plainStatus(status: Record<string, unknown> = {}): Record<string, unknown> {
  const { conditions, operationState, ...rest } = status;
  const others = (Array.isArray(conditions) ? conditions : []).filter(
    (condition: unknown) => textAt(condition, 'type') !== agentError,
  );
  return {
    ...rest,
    ...(others.length > 0 ? { conditions: others } : {}),
    ...(operationState === undefined || isSetByHub(operationState) ? {} : { operationState }),
  };
}

const checksumCaches: WeakMap<MirroredObject, string>[] = [];

/** The second object is the first one, read again: its checksums are the same. */
export function copyChecksums(first: MirroredObject, second: MirroredObject): void {
  for (const known of checksumCaches) {
    const value = known.get(first);
    if (value !== undefined) known.set(second, value);
  }
}

/** Objects in caches are never modified, so a checksum is valid as long as the object exists. */
function cachedByObject(compute: (object: MirroredObject) => string): (object: MirroredObject) => string {
  const known = new WeakMap<MirroredObject, string>();
  checksumCaches.push(known);
  return (object) => {
    let value = known.get(object);
    if (value === undefined) known.set(object, (value = compute(object)));
    return value;
  };
}

/** The declared fields, without those that servers add. */
export const declaredChecksum = cachedByObject((object) => digest(canonicalJson(declaredOf(object))));

/** The state of a source's object as it is sent: everything declared, and whether it is being deleted. */
export const stateChecksum = cachedByObject((object) =>
  digest(canonicalJson({ ...declaredOf(object), deleting: isTerminating(object) })),
);

/** The same with the status, if the status comes from the source too. */
export const stateWithStatusChecksum = cachedByObject((object) =>
  digest(canonicalJson({ ...declaredOf(object), deleting: isTerminating(object), status: plainStatus(object.status) })),
);

export const declaredWithStatusChecksum = cachedByObject((object) =>
  digest(canonicalJson({ ...declaredOf(object), status: plainStatus(object.status) })),
);

const noStatus = digest('{}');
const checksumOfStatus = cachedByObject((object) => digest(canonicalJson(plainStatus(object.status))));
export const statusChecksum = (object: MirroredObject): string =>
  object.status === undefined ? noStatus : checksumOfStatus(object);

/** Go's encoder escapes these so that JSON can be embedded in HTML. */
const escapedByGo: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** argocd-agent's checksum of one object: SHA-256 of its spec (or data) without the destination, as Go writes JSON. */
export function argocdChecksum(object: MirroredObject): Buffer {
  const { destination: _, ...body } = (object.spec ?? object.data ?? {}) as Record<string, unknown>;
  const text = canonicalJson(body).replace(/[<>&\u2028\u2029]/gu, (char) => escapedByGo[char] ?? char);
  return createHash('sha256').update(text).digest();
}

export interface Named {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** argocd-agent's checksum of a list: SHA-256 over the sorted `Kind/Name/UID`, joined; empty for an empty list. */
export function argocdListChecksum(items: readonly Named[]): Buffer {
  if (items.length === 0) return Buffer.alloc(0);
  const lines = items.map(({ kind, name, uid }) => Buffer.from(`${kind}/${name}/${uid}`)).sort(Buffer.compare);
  return createHash('sha256').update(Buffer.concat(lines)).digest();
}
