import { type Application, applicationKind, appProjectKind } from '@fairlead/api';
import { configMapType, deploymentType, textAt } from '@fairlead/apimachinery';
import { until } from '@fairlead/cli/testing';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import type { RunningUp } from '../../test/support/start-up.ts';

/** Runs a script if it is ever read as HTML. */
export const marker = '<img src=x onerror="globalThis.fairleadScriptRan=1">';

const namespace = 'argocd';

async function withClient<T>({ kubeconfig }: RunningUp, use: (client: HttpClient) => Promise<T>): Promise<T> {
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** An Application and a project whose texts are markup. */
export const createUntrusted = (up: RunningUp): Promise<void> =>
  withClient(up, async (client) => {
    await client.create(appProjectKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'untrusted', namespace },
      spec: {
        description: marker,
        sourceRepos: ['*', `https://example.com/${marker}`],
        destinations: [{ server: '*', namespace: '*' }],
      },
    });
    await client.create(applicationKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'untrusted', namespace, annotations: { 'example.com/note': marker } },
      spec: {
        project: 'untrusted',
        source: { repoURL: `https://127.0.0.1:1/${marker}`, path: marker, targetRevision: marker },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
      },
    });
    await until(
      async () => {
        const { status } = await client.get<Application>(applicationKind.type, { namespace, name: 'untrusted' });
        return (status?.conditions ?? []).length > 0;
      },
      60_000,
      () => 'the Application has no condition',
    );
  });

/** Disables auto-sync, and changes the live Deployment. */
export const setManualSync = (up: RunningUp, name: string): Promise<void> =>
  withClient(up, async (client) => {
    await client.patch(applicationKind.type, { namespace, name }, 'merge', {
      spec: { syncPolicy: { automated: null } },
    });
    await client.patch(deploymentType, { namespace: 'demo', name: 'web' }, 'merge', { spec: { replicas: 5 } });
    await until(
      async () => {
        const { status } = await client.get<Application>(applicationKind.type, { namespace, name });
        return status?.sync?.status === 'OutOfSync';
      },
      60_000,
      () => `${name} is not OutOfSync`,
    );
  });

/** Adds to a ConfigMap of the installation. */
const configure = (up: RunningUp, name: string, data: Record<string, string>): Promise<void> =>
  withClient(up, async (client) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
    const options = { fieldManager: `test-${Object.keys(data)[0]}` };
    await client.patch(configMapType, { namespace, name }, 'apply', object, options);
  });

export const enableTerminals = (up: RunningUp): Promise<void> => configure(up, 'argocd-cm', { 'exec.enabled': 'true' });

/** An account that has API tokens. */
export const createRobot = (up: RunningUp): Promise<void> => configure(up, 'argocd-cm', { 'accounts.robot': 'apiKey' });

/** Until an Application has deployed so many revisions. */
export const waitForRevisions = (up: RunningUp, name: string, revisions: number): Promise<void> =>
  withClient(up, async (client) => {
    await until(
      async () => {
        const { status } = await client.get<Application>(applicationKind.type, { namespace, name });
        return new Set(status?.history?.map(({ revision }) => revision)).size >= revisions;
      },
      60_000,
      () => `${name} has not deployed ${revisions} revisions`,
    );
  });

/** An account with the role `readonly`. */
export async function createReader(up: RunningUp): Promise<{ username: string; password: string }> {
  const account = { username: 'reader', password: 'reader-password-1' };
  await configure(up, 'argocd-cm', { 'accounts.reader': 'login' });
  await configure(up, 'argocd-rbac-cm', { 'policy.csv': 'g, reader, role:readonly' });
  const signIn = await fetch(`${up.base}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: up.password }),
  });
  const token = textAt(await signIn.json(), 'token');
  await until(
    async () => {
      const response = await fetch(`${up.base}/api/v1/account/password`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ name: account.username, newPassword: account.password, currentPassword: up.password }),
      });
      return response.ok;
    },
    30_000,
    () => 'the password cannot be set',
  );
  return account;
}
