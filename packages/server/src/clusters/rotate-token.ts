import { randomBytes } from 'node:crypto';
import { type JsonObject, objectAt, type Secret, secretType, secretValue, textAt } from '@fairlead/apimachinery';
import { inClusterServer, readClusterSecret } from '@fairlead/app-controller';
import { type ApiClient, type Clock, sleep } from '@fairlead/kube';
import { invalidArgument, RpcError } from '../rpc/rpc-error.ts';
import { parseToken, TokenError } from '../session/jwt.ts';
import type { ClusterAccess } from './cluster-infos.ts';
import { clusterData } from './cluster-secrets.ts';

const waitMs = 30_000;
const pollMs = 500;

export interface RotateOptions {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  /** Tests and stores the cluster with its new token. */
  store(cluster: JsonObject): Promise<void>;
}

/**
 * Replaces the token of the service account that a cluster is reached with: a new one is created, tested and stored before the old one is
 * deleted.
 */
export async function rotateToken(cluster: JsonObject, { access, clock, store }: RotateOptions): Promise<void> {
  const server = textAt(cluster, 'server');
  const config = objectAt(cluster, 'config') ?? {};
  const token = textAt(config, 'bearerToken');
  if (token === '') throw invalidArgument(`Cluster '${server}' does not use bearer token authentication`);
  const old = secretOfToken(token);
  const { config: read } = readClusterSecret({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: server },
    data: clusterData(cluster),
  });
  const isOwn = server === inClusterServer || !read;
  const connection = isOwn ? access.inCluster : access.connect(read);
  try {
    const created = await createToken(connection.client, old, clock);
    const { certData: _, keyData: __, ...tls } = objectAt(config, 'tlsClientConfig') ?? {};
    await store({ ...cluster, config: { ...config, tlsClientConfig: tls, bearerToken: created } });
    await connection.client.delete(secretType, old);
  } finally {
    if (!isOwn) await connection.close();
  }
}

interface SecretKey {
  readonly namespace: string;
  readonly name: string;
}

/** The Secret that a token of a service account is in. */
function secretOfToken(token: string): SecretKey {
  try {
    const { claims } = parseToken(token);
    // Tokens of Secrets have these claims, tokens that are bound to a Secret those below.
    const bound = objectAt(claims, 'kubernetes.io');
    const namespace = textAt(claims, 'kubernetes.io/serviceaccount/namespace') || textAt(bound, 'namespace');
    const name =
      textAt(claims, 'kubernetes.io/serviceaccount/secret.name') || textAt(objectAt(bound, 'secret'), 'name');
    if (namespace === '' || name === '') throw new TokenError('it is not the token of a Secret of a service account');
    return { namespace, name };
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw new RpcError('Unknown', `failed to parse service account token: ${error.message}`);
  }
}

/** A Secret like the old one, with the token that Kubernetes puts into it. */
async function createToken(client: ApiClient, old: SecretKey, clock: Clock): Promise<string> {
  const existing = await client.get<Secret>(secretType, old);
  const key = {
    namespace: old.namespace,
    name: `${old.name.replace(/-[^-]*$/u, '')}-${randomBytes(3).toString('hex')}`,
  };
  await client.create<Secret>(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...key, annotations: existing.metadata.annotations ?? {} },
    type: 'kubernetes.io/service-account-token',
  });
  for (const until = clock.now() + waitMs; clock.now() < until; ) {
    const token = secretValue(await client.get<Secret>(secretType, key), 'token');
    if (token) return token;
    await sleep(clock, pollMs);
  }
  throw new RpcError('DeadlineExceeded', `Secret ${key.namespace}/${key.name} was not given a token in time`);
}
