import { at, isJsonObject, type JsonObject, objectAt, put } from '@fairlead/apimachinery';
import { groupOf } from '../resource-id.ts';

/** The kinds whose declared status is ignored (`ignoreResourceStatusField`). */
export type StatusComparison = 'all' | 'crd' | 'none';

/** The declared part of an object: without the status, and without fields that the cluster computes. */
export function declared(object: JsonObject, ignoreStatus: StatusComparison = 'all'): JsonObject {
  const kind = kindOf(object);
  const { status, ...others } = object;
  const rest = isStatusCompared(kind, ignoreStatus) && status !== undefined ? { ...others, status } : others;
  if (kind === '/Secret') return withoutStringData(rest);
  // The server computes the rules of an aggregated role.
  if (kind === 'rbac.authorization.k8s.io/ClusterRole' && at(rest, 'aggregationRule')) {
    const { rules: _rules, ...role } = rest;
    return role;
  }
  return rest;
}

const kindOf = (object: JsonObject): string => `${groupOf(String(object['apiVersion'] ?? ''))}/${object['kind']}`;

const isStatusCompared = (kind: string, ignoreStatus: StatusComparison): boolean =>
  ignoreStatus === 'none' || (ignoreStatus === 'crd' && kind !== definition);

/** The parts of an object that a comparison shows: not the status where it is ignored, nor when the object was created. */
export function shownParts(object: JsonObject, ignoreStatus: StatusComparison): JsonObject {
  const kind = kindOf(object);
  const { status, ...others } = object;
  const { creationTimestamp: _c, managedFields: _m, ...metadata } = objectAt(object, 'metadata') ?? {};
  const shown = isStatusCompared(kind, ignoreStatus) && status !== undefined ? object : others;
  return { ...(kind === '/Secret' ? withoutStringData(shown) : shown), metadata };
}

const definition = 'apiextensions.k8s.io/CustomResourceDefinition';

/** Moves `stringData` to `data`, as the server does. */
export function withoutStringData(secret: JsonObject): JsonObject {
  const { stringData, ...rest } = secret;
  if (!isJsonObject(stringData)) return rest;
  const data: JsonObject = isJsonObject(rest['data']) ? { ...rest['data'] } : {};
  for (const [name, value] of Object.entries(stringData)) {
    put(data, name, typeof value === 'string' ? Buffer.from(value).toString('base64') : value);
  }
  return { ...rest, data };
}

/** The parts of metadata that a manifest declares. The rest is identity, or written by the server. Empty parts declare nothing. */
export function declaredMetadata(object: unknown): JsonObject {
  const metadata = objectAt(object, 'metadata') ?? {};
  const parts: JsonObject = {};
  for (const name of ['labels', 'annotations', 'finalizers', 'ownerReferences']) {
    const part = metadata[name];
    if (typeof part === 'object' && part !== null && Object.keys(part).length > 0) parts[name] = part;
  }
  return parts;
}
