import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Application, ResourceStatus } from '@fairlead/api';
import { type ConfigMap, configMapType, isAlreadyExists, isForbidden, isNotFound } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

const file = 'resources.json.gz';
const digestAnnotation = 'fairlead.dev/digest';
const countAnnotation = 'fairlead.dev/resource-count';

export const storeNameOf = ({ metadata }: Application): string => `application-${metadata.name}-resources`;

/** The resources that stay in the Application: first those with problems, then others up to the limit. */
export function inlineResources(resources: readonly ResourceStatus[], limit: number): ResourceStatus[] {
  if (resources.length <= limit) return [...resources];
  const isFine = ({ status, health }: ResourceStatus): boolean =>
    status === 'Synced' && (health === undefined || health.status === 'Healthy');
  const chosen = new Set([...resources.filter((one) => !isFine(one)), ...resources.filter(isFine)].slice(0, limit));
  return resources.filter((one) => chosen.has(one));
}

/**
 * Stores all resources of an Application in a separate object, compressed; it is deleted with the Application. Returns the digest, to be
 * passed to the next call: unchanged resources are not written.
 */
export async function storeResources(
  client: ApiClient,
  application: Application,
  resources: readonly ResourceStatus[],
  stored: string | undefined,
  signal?: AbortSignal,
): Promise<string> {
  const text = JSON.stringify(resources);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  if (digest === stored) return digest;
  const { namespace = '', name, uid = '' } = application.metadata;
  const store: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: storeNameOf(application),
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'fairlead' },
      annotations: { [digestAnnotation]: digest, [countAnnotation]: String(resources.length) },
      ownerReferences: [{ apiVersion: application.apiVersion, kind: application.kind, name, uid }],
    },
    binaryData: { [file]: gzipSync(text, { level: 9 }).toString('base64') },
  };
  const options = { fieldManager: 'argocd-controller', ...(signal ? { signal } : {}) };
  try {
    await client.create(configMapType, store, options);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const key = { namespace, name: storeNameOf(application) };
    await client.patch(
      configMapType,
      key,
      'merge',
      { metadata: store.metadata, binaryData: store.binaryData },
      options,
    );
  }
  return digest;
}

/** All resources of an Application, from either location. */
export async function readResources(
  client: Pick<ApiClient, 'get'>,
  application: Application,
  signal?: AbortSignal,
): Promise<readonly ResourceStatus[]> {
  const inline = application.status?.resources ?? [];
  if (!application.status?.conditions?.some(({ type }) => type === 'ResourcesMoved')) return inline;
  const { namespace = '' } = application.metadata;
  try {
    const key = { namespace, name: storeNameOf(application) };
    const { binaryData } = await client.get<ConfigMap>(configMapType, key, signal ? { signal } : {});
    const packed = binaryData?.[file];
    if (packed === undefined) return inline;
    return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as ResourceStatus[];
  } catch (error) {
    // Without the right to read it, those in the Application are shown.
    if (isNotFound(error) || isForbidden(error)) return inline;
    throw error;
  }
}
