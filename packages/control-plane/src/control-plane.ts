import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { schemaOf } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, type Random, systemClock, systemRandom } from '@fairlead/kube';
import {
  type BoundTo,
  createAuthenticator,
  createAuthorizer,
  createServiceAccountTokens,
  rbacStorage,
  reviewResources,
  type TokenContents,
} from './access/index.ts';
import { bootstrap } from './bootstrap.ts';
import { builtinResources } from './catalogue/builtin-resources.ts';
import { loadIdentity } from './certificates.ts';
import { serveCustomResources } from './custom-resources.ts';
import { apiFaults } from './http/api-faults.ts';
import { createHandler } from './http/api-handler.ts';
import { ApiServer } from './http/api-server.ts';
import { createMetaRoutes } from './http/meta-routes.ts';
import { RequestThrottle } from './http/request-throttle.ts';
import { createResourceRouter } from './http/resource-router.ts';
import { kindRules, underQuota } from './kinds/index.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { createLocalClient, type LocalClientOptions } from './local-client.ts';
import { Registry } from './registry.ts';
import type { User } from './resource.ts';
import { type HistoryLimits, openFileStorage, openMemoryStorage, type Storage } from './storage/index.ts';
import { tables } from './table/index.ts';
import type { Api } from './verbs/api.ts';
import { bindings } from './verbs/bind-pod.ts';

export interface ControlPlaneOptions {
  /** Absent: everything is in memory and lost at the end. */
  readonly dataDir?: string;
  readonly host?: string;
  /** Absent or 0: a free one. */
  readonly port?: number;
  /** The bearer token of the administrator; random by default. */
  readonly token?: string;
  /** Whether pods get a service account and its token; on by default, as in a real cluster. */
  readonly serviceAccountAdmission?: boolean;
  /** Whether containers may be privileged (`--allow-privileged`); off by default, as in kube-apiserver. */
  readonly allowPrivileged?: boolean;
  /** The number of past events that are kept for resumed watches. */
  readonly history?: HistoryLimits;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The log of a pod, from the kubelet that runs it. */
  podLog?(namespace: string, name: string, query: URLSearchParams): string | Promise<string>;
  /** One line for the user: a truncated log, a port in use. */
  report?(message: string): void;
}

/** A running control plane: only the API server. Controllers and nodes are started separately. */
export interface ControlPlane {
  readonly url: string;
  readonly token: string;
  /** The CA of the serving certificate, as PEM. */
  readonly ca: string;
  readonly api: Api;
  /** A client in this process, with the permissions of the system. */
  client(manager: string, options?: LocalClientOptions): ApiClient;
  kubeconfig(): string;
  issueClient(user: string, groups: readonly string[]): Promise<{ cert: string; key: string }>;
  /** A token for a service account that is valid as long as its Secret exists. */
  issueSecretToken(serviceAccount: TokenContents['serviceAccount'], secret: BoundTo): string;
  close(): Promise<void>;
}

const system: User = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };
const issuer = 'https://kubernetes.default.svc';
const audiences = [issuer];
/** Tokens in Secrets end with the Secret, and practically never expire by themselves. */
const secretTokenSeconds = 100 * 365 * 24 * 3600;

export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const [storage, identity] = await Promise.all([
    openStorage(options, clock),
    loadIdentity(options.dataDir ? join(options.dataDir, 'pki') : undefined),
  ]);
  const read = {
    get: (resource: string, namespace: string, name: string) => storage.head(resource, namespace, name)?.object,
    *find(resource: string, namespace?: string) {
      for (const stored of storage.heads(resource, namespace)) yield stored.object;
    },
  };
  const token = options.token ?? randomBytes(24).toString('base64url');
  const tokens = createServiceAccountTokens({ privateKey: identity.tokenKey, issuer, audiences, read, clock });
  const admin: User = { name: 'admin', uid: 'admin', groups: ['system:masters'] };
  const authenticate = createAuthenticator({ tokens: new Map([[token, admin]]), serviceAccounts: tokens, audiences });
  const authorize = createAuthorizer({ ...read, generation: policyGeneration(storage) });
  const registry: Registry = new Registry(
    builtinResources({
      rules: kindRules({
        authorize,
        serviceAccountAdmission: options.serviceAccountAdmission ?? true,
        allowPrivileged: options.allowPrivileged ?? false,
      }),
      tables,
    }).map(underQuota),
    [
      bindings(() => api),
      ...reviewResources({
        authorize,
        authenticate,
        schemaOf: (key) => {
          const [group, version, kind] = key.split('/') as [string, string, string];
          return schemaOf(group, version, kind)!;
        },
      }),
    ],
  );
  const api: Api = { storage, registry, clock, random, newUid: () => randomUUID() };
  await bootstrap(api, system);
  const custom = serveCustomResources(api, system);

  const closing = new AbortController();
  const throttle = new RequestThrottle();
  const handler = createHandler({
    admit: (user, namespace) => throttle.admit(user, namespace),
    authenticate,
    authorize,
    serveMeta: createMetaRoutes({
      registry,
      tokens,
      address: () => server.address,
      problemOf: (check) => (check === 'storage' ? storage.refusal?.message : undefined),
      metrics: () => '',
    }),
    serveResource: createResourceRouter({
      api,
      authorize,
      tokens,
      audiences,
      closing: closing.signal,
      ...(options.podLog ? { podLog: options.podLog } : {}),
    }),
    disturb: apiFaults(api),
  });
  const server = new ApiServer(identity, handler);
  try {
    await server.listen(options.host ?? '127.0.0.1', options.port ?? 0);
  } catch (error) {
    custom.stop();
    await storage.close();
    throw error;
  }
  const url = `https://${server.address}`;
  return {
    url,
    token,
    ca: identity.ca,
    api,
    client: (manager, clientOptions) => createLocalClient(api, system, manager, clientOptions),
    kubeconfig: () => kubeconfigText({ server: url, ca: identity.ca, token }),
    issueClient: identity.issueClient,
    issueSecretToken: (serviceAccount, secret) =>
      tokens.issue({ serviceAccount, secret, audiences, expirationSeconds: secretTokenSeconds }),
    async close() {
      closing.abort();
      custom.stop();
      await server.close();
      await storage.close();
    },
  };
}

function openStorage(options: ControlPlaneOptions, clock: Clock): Promise<Storage> | Storage {
  const shared = { clock, ...(options.history ? { history: options.history } : {}) };
  if (!options.dataDir) return openMemoryStorage(shared);
  return openFileStorage({
    dir: join(options.dataDir, 'state'),
    ...shared,
    report: (message) => options.report?.(message),
  });
}

/** Counts the writes to roles and bindings, to invalidate derived data. */
function policyGeneration(storage: Storage): () => number {
  let generation = 0;
  for (const resource of Object.values(rbacStorage)) storage.watch(resource, storage.revision, () => (generation += 1));
  return () => generation;
}
