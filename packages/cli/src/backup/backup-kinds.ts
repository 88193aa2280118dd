import { agentKind, applicationKind, applicationSetKind, appProjectKind, type Kind, kinds } from '@fairlead/api';
import { configMapType, type KubeObject, type ResourceType, secretType } from '@fairlead/apimachinery';

const first: readonly Kind<KubeObject>[] = [appProjectKind, agentKind, applicationKind];

/**
 * What a backup contains, in the order in which it is imported: settings and credentials before the Applications that need them, and ApplicationSets
 * after their Applications, which they would create otherwise.
 */
export const backupTypes: readonly ResourceType[] = [
  configMapType,
  secretType,
  ...first.map(({ type }) => type),
  ...kinds.filter((kind) => !first.includes(kind) && kind !== applicationSetKind).map(({ type }) => type),
  applicationSetKind.type,
];

const configMaps =
  /^argocd-(?:cm|rbac-cm|cmd-params-cm|notifications-cm|tls-certs-cm|ssh-known-hosts-cm|gpg-keys-cm)$/u;
const secrets = /^argocd-(?:secret|notifications-secret|server-tls|initial-admin-secret)$/u;
const secretLabel = 'argocd.argoproj.io/secret-type';

/** Whether a ConfigMap or Secret of the installation's namespace is a setting or a credential. */
export function isSetting({ kind, metadata: { name, labels } }: KubeObject): boolean {
  if (kind === 'ConfigMap') return configMaps.test(name);
  return secrets.test(name) || labels?.[secretLabel] !== undefined;
}
