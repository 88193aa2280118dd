import { stringify } from 'yaml';

/** A kubeconfig with one cluster and one user, for `kubectl`. */
export function kubeconfigText(access: { server: string; ca: string; token: string; name?: string }): string {
  const name = access.name ?? 'fairlead';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server: access.server, 'certificate-authority-data': Buffer.from(access.ca).toString('base64') },
      },
    ],
    users: [{ name, user: { token: access.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
