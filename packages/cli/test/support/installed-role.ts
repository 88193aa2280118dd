import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { ClusterAccess, HttpClient } from '@fairlead/kube';
import { nameOf } from '../../src/deploy/installation.ts';
import type { RoleDeployment } from '../../src/deploy/role-table.ts';
import { Fairlead } from './fairlead-process.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

const serviceAccountType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};

export interface InstalledRole {
  readonly role: RoleDeployment;
  readonly process: Fairlead;
  readonly proxy: RecordingProxy;
  stop(): Promise<void>;
}

/** The line that tells that a role works. */
const readyLine: Readonly<Record<RoleDeployment['name'], string>> = {
  controller: 'working',
  applicationset: 'leader',
  notifications: 'leader',
  prepull: 'leader',
  images: 'image updater is running',
  server: 'serving on',
  principal: 'ready',
  service: 'backend is running',
};

/** Starts a role with the arguments of its Deployment and the token of its ServiceAccount. */
export async function startInstalledRole(
  role: RoleDeployment,
  {
    client,
    access,
    namespace,
    folder,
    env = {},
    waitMs = 60_000,
  }: {
    readonly client: HttpClient;
    readonly access: ClusterAccess['client'];
    readonly namespace: string;
    readonly folder: string;
    readonly env?: Record<string, string>;
    readonly waitMs?: number;
  },
): Promise<InstalledRole> {
  const proxy = await startRecordingProxy(access);
  const dir = join(folder, role.name);
  mkdirSync(dir, { recursive: true });
  const kubeconfig = join(dir, 'kubeconfig');
  const token = await tokenOf(client, namespace, nameOf(role.name));
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(proxy.url, token)), { mode: 0o600 });
  const args = role.args.map((arg, index) => {
    // Several roles share one machine here.
    if (/-?port$/u.test(role.args[index - 1] ?? '')) return '0';
    return arg.replace('0.0.0.0', '127.0.0.1').replace('/data', dir).replace('$(FAIRLEAD_NAMESPACE)', namespace);
  });
  const ports = role.name === 'principal' ? ['--port', '0'] : [];
  const process = new Fairlead([...args, ...ports, '--kubeconfig', kubeconfig], {
    FAIRLEAD_NAMESPACE: namespace,
    FAIRLEAD_LOG: 'info',
    ...env,
  });
  const stop = async (): Promise<void> => {
    await process.stop();
    await proxy.close();
  };
  try {
    await process.line(readyLine[role.name], waitMs);
  } catch (error) {
    await stop();
    const refused = forbiddenIn(proxy).join(', ');
    throw new Error(`${role.name} did not start; forbidden: ${refused || 'nothing'}`, { cause: error });
  }
  return { role, process, proxy, stop };
}

/** The requests that were answered 403, each once. */
export const forbiddenIn = ({ requests }: RecordingProxy): string[] => [
  ...new Set(requests.filter(({ status }) => status === 403).map(({ method, path }) => `${method} ${path}`)),
];

async function tokenOf(client: HttpClient, namespace: string, name: string): Promise<string> {
  const request: KubeObject & { spec: object; status?: { token?: string } } = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { namespace, name },
    spec: { expirationSeconds: 3_600 },
  };
  const answer = await client.create(serviceAccountType, request, { subresource: 'token' });
  if (!answer.status?.token) throw new Error(`no token for ${namespace}/${name}`);
  return answer.status.token;
}

const kubeconfigOf = (server: string, token: string): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'test', cluster: { server } }],
  users: [{ name: 'test', user: { token } }],
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  'current-context': 'test',
});
