import type { GitOpsDeploymentManagedEnvironmentSpec } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import { type Kubeconfig, parseKubeconfig } from '@fairlead/kube';
import { type HostKind, whyHostRefused } from '../host-kind.ts';
import { ConnectionProblem, type ConnectionReason } from './connection-problem.ts';
import type { ClusterLogin } from './probes.ts';

const refuse = (reason: ConnectionReason, message: string): never => {
  throw new ConnectionProblem(reason, message);
};

/** The address of a tenant's cluster. Never this cluster's internal address, where Argo CD itself has all permissions. */
export function readApiUrl(text: string, refused: readonly HostKind[] = []): string {
  if (!URL.canParse(text)) return refuse('UnsupportedAPIURL', `spec.apiURL: ${JSON.stringify(text)} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:') refuse('UnsupportedAPIURL', 'spec.apiURL must begin with https://');
  if (url.username || url.password || url.search || url.hash)
    refuse('UnsupportedAPIURL', 'spec.apiURL must not contain a user, query or fragment');
  if (/^kubernetes(\.default(\.svc(\.cluster\.local)?)?)?$/u.test(url.hostname))
    refuse(
      'UnsupportedAPIURL',
      'spec.apiURL is this cluster’s own address: leave out spec.destination.environment to deploy here',
    );
  const why = whyHostRefused(url.hostname, refused);
  if (why) refuse('HostNotPermitted', `spec.apiURL: ${why}`);
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}

/** The credentials in the context of the kubeconfig that matches the environment's address. */
export function readLogin(text: string, spec: GitOpsDeploymentManagedEnvironmentSpec): ClusterLogin {
  const server = readApiUrl(spec.apiURL);
  const kubeconfig = parse(text);
  const context = [...kubeconfig.contexts.values()].find(({ cluster = '' }) => isAt(kubeconfig, cluster, server));
  if (!context) {
    return refuse(
      'UnableToLocateContext',
      `no context of the kubeconfig leads to ${server}: its clusters are at ${addresses(kubeconfig)}`,
    );
  }
  const cluster = kubeconfig.clusters.get(context.cluster ?? '')!;
  const user = kubeconfig.users.get(context.user ?? '');
  if (!user)
    return refuse('MissingKubeConfigField', `the kubeconfig has no user ${JSON.stringify(context.user ?? '')}`);
  // A tenant's kubeconfig must not make this process read local files or run a program.
  if (
    user.exec ||
    user['auth-provider'] ||
    user.tokenFile ||
    user['client-certificate'] ||
    user['client-key'] ||
    cluster['certificate-authority']
  )
    refuse(
      'UnableToCreateClient',
      'the kubeconfig names files or programs of another machine: put token and certificates into it',
    );
  const decoded = (data: string | undefined): string | undefined =>
    data ? Buffer.from(data, 'base64').toString() : undefined;
  const [cert, key] = [decoded(user['client-certificate-data']), decoded(user['client-key-data'])];
  if (!user.token && !(cert && key) && !user.username)
    refuse(
      'MissingKubeConfigField',
      `the user ${JSON.stringify(context.user ?? '')} of the kubeconfig has neither a token nor a client certificate with its key`,
    );
  const ca = decoded(cluster['certificate-authority-data']);
  return {
    server,
    insecure: spec.allowInsecureSkipTLSVerify,
    ...(ca === undefined ? {} : { ca }),
    ...(user.token ? { token: user.token } : {}),
    ...(cert && key ? { certificate: { cert, key } } : {}),
    ...(user.username && !user.token ? { basic: { username: user.username, password: user.password ?? '' } } : {}),
  };
}

function parse(text: string): Kubeconfig {
  try {
    return parseKubeconfig(text, 'kubeconfig');
  } catch (error) {
    return refuse('UnableToParseKubeconfigData', `the Secret’s kubeconfig cannot be read: ${messageOf(error)}`);
  }
}

function isAt(kubeconfig: Kubeconfig, name: string, server: string): boolean {
  const text = kubeconfig.clusters.get(name)?.server ?? '';
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}` === server;
}

const addresses = (kubeconfig: Kubeconfig): string =>
  [...kubeconfig.clusters.values()].map(({ server }) => server ?? '(no address)').join(', ') || '(none)';

export function readNamespaces(namespaces: readonly string[]): string[] {
  for (const name of namespaces) {
    if (name.length > 63 || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u.test(name))
      refuse('InvalidNamespaceList', `spec.namespaces: ${JSON.stringify(name)} is not the name of a namespace`);
  }
  return [...new Set(namespaces)].sort();
}
