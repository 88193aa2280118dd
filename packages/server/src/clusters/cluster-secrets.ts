import { isIPv6 } from 'node:net';
import {
  decodeTyped,
  formatTime,
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  parseTime,
  type Secret,
  secretValue,
  stringsAt,
  textAt,
} from '@fairlead/apimachinery';
import { messageNamed } from '../messages/message-types.ts';
import { fnv32a } from '../repositories/repository-secrets.ts';
import { invalidArgument, RpcError } from '../rpc/rpc-error.ts';
import { managedByAnnotation, managedByArgoCd, secretTypeLabel } from '../state/secret-labels.ts';
import { base64 } from '../state/server-state.ts';

export const clusterSecretType = 'cluster';

/** The controllers connect again to a cluster whose Secret has a new time here. */
export const refreshAnnotation = 'argocd.argoproj.io/refresh';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The cluster that a Secret describes, with its credentials. */
export function clusterFromSecret(secret: Secret): JsonObject {
  const text = (key: string): string => secretValue(secret, key) ?? '';
  const namespaces = text('namespaces')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const { [secretTypeLabel]: _, ...labels } = secret.metadata.labels ?? {};
  const {
    [lastApplied]: __,
    [managedByAnnotation]: ___,
    [refreshAnnotation]: requested,
    ...annotations
  } = secret.metadata.annotations ?? {};
  const requestedAt = requested === undefined ? undefined : parseTime(requested);
  const shard = /^-?\d+$/u.test(text('shard')) ? Number(text('shard')) : undefined;
  return {
    server: text('server').replace(/\/+$/u, ''),
    name: text('name'),
    config: configOf(text('config')),
    ...(namespaces.length > 0 ? { namespaces } : {}),
    ...(text('clusterResources') === 'true' ? { clusterResources: true } : {}),
    ...(shard === undefined ? {} : { shard }),
    ...(text('project') === '' ? {} : { project: text('project') }),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(requestedAt === undefined || Number.isNaN(requestedAt) ? {} : { refreshRequestedAt: formatTime(requestedAt) }),
  };
}

/** A config that cannot be read is empty: the cluster is listed, so that it can be corrected. */
function configOf(text: string): JsonObject {
  try {
    const config = JSON.parse(text || '{}');
    return isObject(config) ? decodeTyped(config, messageNamed('v1alpha1.ClusterConfig')).object : {};
  } catch {
    return {};
  }
}

/** The Secret that describes a cluster: a new one, or the one that exists with another content. */
export function secretOfCluster(cluster: JsonObject, namespace: string, existing: Secret | undefined): Secret {
  const server = textAt(cluster, 'server');
  const { [lastApplied]: applied, ...annotations } = stringsAt(cluster, 'annotations');
  if (applied !== undefined) throw invalidArgument(`annotation ${lastApplied} cannot be set`);
  const requestedAt = textAt(cluster, 'refreshRequestedAt');
  return {
    ...(existing ?? { apiVersion: 'v1', kind: 'Secret' }),
    metadata: {
      ...(existing?.metadata ?? { name: clusterSecretName(server), namespace }),
      labels: { ...stringsAt(cluster, 'labels'), [secretTypeLabel]: clusterSecretType },
      annotations: {
        ...annotations,
        ...(requestedAt === '' ? {} : { [refreshAnnotation]: requestedAt }),
        [managedByAnnotation]: managedByArgoCd,
      },
    },
    data: clusterData(cluster),
  };
}

export function clusterData(cluster: JsonObject): Record<string, string> {
  const server = textAt(cluster, 'server');
  const { namespaces } = cluster;
  const config = decodeTyped(objectAt(cluster, 'config') ?? {}, messageNamed('v1alpha1.ClusterConfig')).object;
  const data: Record<string, string> = {
    server: server.replace(/\/+$/u, ''),
    name: textAt(cluster, 'name') || server,
    config: JSON.stringify(config),
    ...(Array.isArray(namespaces) && namespaces.length > 0 ? { namespaces: namespaces.join(',') } : {}),
    ...(cluster['shard'] === undefined ? {} : { shard: String(numberAt(cluster, 'shard')) }),
    ...(cluster['clusterResources'] === true ? { clusterResources: 'true' } : {}),
    ...(textAt(cluster, 'project') === '' ? {} : { project: textAt(cluster, 'project') }),
  };
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)]));
}

/** `cluster-HOST-HASH`, as Argo CD names it. */
function clusterSecretName(server: string): string {
  const url = URL.parse(server);
  if (!url) throw new RpcError('Unknown', `parse ${JSON.stringify(server)}: invalid URI for request`);
  const address = url.hostname.replace(/^\[|\]$/gu, '');
  const host = isIPv6(address) ? address.replaceAll(':', '-') : address;
  return `cluster-${host.toLowerCase()}-${fnv32a(server)}`;
}

/** A cluster as it is answered: nothing that opens it, and no command, whose arguments may hold a secret. */
export function sanitizedCluster(cluster: JsonObject): JsonObject {
  const config = objectAt(cluster, 'config') ?? {};
  const tls = objectAt(config, 'tlsClientConfig') ?? {};
  const serverName = textAt(tls, 'serverName');
  const proxyUrl = textAt(config, 'proxyUrl').replace(/(:\/\/[^/@:]*):[^/@]*@/u, '$1:******@');
  return {
    ...cluster,
    config: {
      tlsClientConfig: { insecure: tls['insecure'] === true, ...(serverName === '' ? {} : { serverName }) },
      ...(config['awsAuthConfig'] === undefined ? {} : { awsAuthConfig: config['awsAuthConfig'] }),
      ...(config['disableCompression'] === true ? { disableCompression: true } : {}),
      ...(proxyUrl === '' ? {} : { proxyUrl }),
    },
  };
}
