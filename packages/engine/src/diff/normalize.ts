import { at, isJsonObject, type JsonObject, type KubeObject } from '@fairlead/apimachinery';
import { groupOf } from '../resource-id.ts';

/** Of which kinds a status that is declared does not count (`ignoreResourceStatusField`). */
export type StatusComparison = 'all' | 'crd' | 'none';

/** What is compared of an object: its declaration. Status is the cluster's to write, and so is what a kind computes from elsewhere. */
export function declared(object: JsonObject, ignoreStatus: StatusComparison = 'all'): JsonObject {
  const kind = `${groupOf(String(object['apiVersion'] ?? ''))}/${object['kind']}`;
  const { status, ...others } = object;
  const isCounted = ignoreStatus === 'none' || (ignoreStatus === 'crd' && kind !== definition);
  const rest = isCounted && status !== undefined ? { ...others, status } : others;
  if (kind === '/Secret') return withoutStringData(rest);
  // The server collects the rules of an aggregated role from others.
  if (kind === 'rbac.authorization.k8s.io/ClusterRole' && at(rest, 'aggregationRule')) {
    const { rules: _rules, ...role } = rest;
    return role;
  }
  return rest;
}

const definition = 'apiextensions.k8s.io/CustomResourceDefinition';

/** `stringData` is a way to write `data`; the server keeps only that. */
export function withoutStringData(secret: JsonObject): JsonObject {
  const { stringData, ...rest } = secret;
  if (!isJsonObject(stringData)) return rest;
  const written = Object.entries(stringData).map(([name, value]) => [
    name,
    Buffer.from(String(value)).toString('base64'),
  ]);
  const data = isJsonObject(rest['data']) ? rest['data'] : {};
  return { ...rest, data: { ...data, ...(Object.fromEntries(written) as JsonObject) } };
}

/** The parts of metadata that a manifest declares. Names and namespaces are identity, the rest is the server's. */
export function declaredMetadata(object: Pick<KubeObject, 'metadata'> | undefined): JsonObject {
  const metadata = (object?.metadata ?? {}) as unknown as JsonObject;
  const parts: JsonObject = {};
  for (const name of ['labels', 'annotations', 'finalizers', 'ownerReferences']) {
    if (metadata[name] !== undefined) parts[name] = metadata[name];
  }
  return parts;
}
