/** An installation with a user of every role, and objects that only some of them may see. */
import { applicationKind, applicationSetKind, appProjectKind } from '@fairlead/api';
import { find, type KubeObject, secretType } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import type { RunningServer, StartServerOptions } from '../../src/start-server.ts';
import { type Installation, namespace, served, startInstallation } from '../support/installation.ts';
import { type RoleName, roles } from './call-table.ts';

/** What no answer may contain. */
export const planted = {
  repositoryPassword: 'planted-repository-password',
  repositoryKey: 'planted-ssh-private-key',
  credentialsPassword: 'planted-credentials-password',
  clusterToken: 'planted-cluster-bearer-token',
  clusterPassword: 'planted-cluster-password',
  clientSecret: 'planted-oidc-client-secret',
  webhookSecret: 'planted-webhook-secret',
  liveSecret: 'planted-live-secret',
} as const;

export interface SecuredInstallation {
  readonly installation: Installation;
  readonly server: RunningServer & { readonly url: string };
  readonly tokens: Readonly<Record<RoleName, string>>;
  /** Puts back what a call may have removed. */
  restore(): Promise<void>;
}

const application = (name: string, project: string): KubeObject =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace },
    spec: {
      project,
      source: { repoURL: 'https://git.example.com/a', path: '.' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
    },
    // No controller runs: requests do not wait for a first comparison.
    status: { sync: { status: 'Unknown' }, health: { status: 'Unknown' } },
  }) as KubeObject;

const applicationSet = (name: string, of: string): KubeObject =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace },
    spec: {
      generators: [{ list: { elements: [{ env: 'a' }] } }],
      template: { metadata: { name: '{{env}}' }, spec: { project: of, destination: {} } },
    },
  }) as KubeObject;

const project = (name: string): KubeObject =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      roles: [
        {
          name: 'ci',
          policies: ['get', 'sync'].map((action) => `p, proj:${name}:ci, applications, ${action}, ${name}/*, allow`),
        },
      ],
    },
  }) as KubeObject;

function secret(name: string, type: string | undefined, data: Readonly<Record<string, string>>): KubeObject {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  // With the annotation, a Secret is deleted with what it stores.
  const labels =
    type === undefined
      ? {}
      : {
          labels: { 'argocd.argoproj.io/secret-type': type },
          annotations: { 'managed-by': 'argocd.argoproj.io' },
        };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, ...labels },
    data: Object.fromEntries(encoded),
  } as KubeObject;
}

const secrets = [
  secret('repo-planted', 'repository', {
    url: 'https://git.example.com/planted',
    username: 'robot',
    password: planted.repositoryPassword,
    sshPrivateKey: planted.repositoryKey,
  }),
  secret('creds-planted', 'repo-creds', {
    url: 'https://git.example.com/team',
    username: 'robot',
    password: planted.credentialsPassword,
  }),
  secret('cluster-planted', 'cluster', {
    name: 'planted',
    server: 'https://planted.example.com',
    config: JSON.stringify({ bearerToken: planted.clusterToken, password: planted.clusterPassword }),
  }),
  secret('live', undefined, { value: planted.liveSecret }),
];

const passwords = {
  stranger: 'stranger-password',
  reader: 'reader-password',
  developer: 'developer-password',
  other: 'other-password',
};

export async function startSecured(options: Partial<StartServerOptions> = {}): Promise<SecuredInstallation> {
  const installation = await startInstallation({
    settings: {
      ...Object.fromEntries(Object.keys(passwords).map((name) => [`accounts.${name}`, 'login, apiKey'])),
      url: 'https://argocd.example.com',
      'oidc.config': JSON.stringify({
        name: 'SSO',
        issuer: 'https://sso.invalid',
        clientID: 'argo',
        clientSecret: '$sso',
      }),
    },
    rbac: {
      'policy.csv': [
        'g, reader, role:readonly',
        'p, developer, applications, *, team/*, allow',
        'p, developer, logs, get, team/*, allow',
      ].join('\n'),
    },
    secret: { sso: planted.clientSecret, 'webhook.github.secret': planted.webhookSecret },
    passwords,
  });
  const { client } = installation;
  const objects: readonly (readonly [type: Parameters<typeof client.create>[0], object: KubeObject])[] = [
    ...['team', 'other'].map((one) => [appProjectKind.type, project(one)] as const),
    [applicationKind.type, application('app', 'team')],
    [applicationKind.type, application('hidden', 'other')],
    [applicationSetKind.type, applicationSet('set', 'team')],
    ...secrets.map((one) => [secretType, one] as const),
  ];
  /** Whether something was missing. */
  const put = async (): Promise<boolean> => {
    let isChanged = false;
    for (const [type, object] of objects) {
      const { name = '' } = object.metadata;
      if (await find(client.get(type, { namespace, name }))) continue;
      await served(() => client.create(type, object));
      isChanged = true;
    }
    return isChanged;
  };
  await put();
  const server = await installation.serve(options);
  const signIn = async (username: string): Promise<string> =>
    tokenOf(server.url, '/api/v1/session', {
      username,
      password: username === 'admin' ? 'admin-password' : (passwords as Record<string, string>)[username],
    });
  const admin = await signIn('admin');
  const tokens = Object.fromEntries(
    await Promise.all(
      roles.map(async (role) => [
        role,
        role === 'token'
          ? await tokenOf(server.url, '/api/v1/projects/team/roles/ci/token', {}, admin)
          : await signIn(role),
      ]),
    ),
  ) as Record<RoleName, string>;
  const read = (path: string): Promise<Response> =>
    fetch(`${server.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${tokens.admin}` } });
  const restore = async (): Promise<void> => {
    if (!(await put())) return;
    for (const path of visible) {
      for (let attempt = 0; ; attempt++) {
        const answer = await read(path);
        const text = await answer.text();
        if (answer.ok) break;
        if (attempt === 200) throw new Error(`${path} is still refused after it was put back: ${text}`);
        await sleep(systemClock, 20);
      }
    }
  };
  return { installation, server, tokens, restore };
}

/** What the server has noticed when it answers these. */
const visible = [
  'projects/team',
  'projects/other',
  'applications/app?project=team',
  'applications/hidden?project=other',
  'applicationsets/set',
  `clusters/${encodeURIComponent('https://planted.example.com')}`,
];

async function tokenOf(url: string, path: string, body: object, bearer?: string): Promise<string> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text).token;
}
