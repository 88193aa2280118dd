import { argocdCm } from './argocd-cm/index.ts';
import { argocdCmdParamsCm } from './argocd-cmd-params-cm/index.ts';
import { argocdNotificationsCm } from './argocd-notifications-cm.ts';
import { argocdRbacCm } from './argocd-rbac-cm.ts';
import { argocdSecret } from './argocd-secret.ts';
import { clusterSecretSettings } from './cluster-secrets.ts';
import { repositorySecretSettings } from './repository-secrets.ts';
import type { SettingRole, Settings } from './setting.ts';
import { argocdGpgKeysCm, argocdSshKnownHostsCm, argocdTlsCertsCm } from './trust.ts';

/** An object, or a kind of object, that has settings. */
export interface SettingSource {
  /** The name of the object, or a name for all objects with a label. */
  readonly name: string;
  readonly kind: 'ConfigMap' | 'Secret';
  /** Values of the label `argocd.argoproj.io/secret-type`; absent for the one object with the name. */
  readonly types?: readonly string[];
  /** Other keys may exist, because values refer to them: only a misspelt key is reported. */
  readonly open?: true;
  /** The role whose log names unknown keys. */
  readonly reportedBy: SettingRole;
  readonly settings: Settings;
}

/** Every setting of Argo CD that is in a ConfigMap or Secret, by where it is. */
export const settingTable: readonly SettingSource[] = [
  { name: 'argocd-cm', kind: 'ConfigMap', reportedBy: 'controller', settings: argocdCm },
  { name: 'argocd-cmd-params-cm', kind: 'ConfigMap', reportedBy: 'controller', settings: argocdCmdParamsCm },
  { name: 'argocd-rbac-cm', kind: 'ConfigMap', reportedBy: 'server', settings: argocdRbacCm },
  { name: 'argocd-notifications-cm', kind: 'ConfigMap', reportedBy: 'notifications', settings: argocdNotificationsCm },
  { name: 'argocd-ssh-known-hosts-cm', kind: 'ConfigMap', reportedBy: 'controller', settings: argocdSshKnownHostsCm },
  { name: 'argocd-tls-certs-cm', kind: 'ConfigMap', reportedBy: 'controller', settings: argocdTlsCertsCm },
  { name: 'argocd-gpg-keys-cm', kind: 'ConfigMap', reportedBy: 'controller', settings: argocdGpgKeysCm },
  { name: 'argocd-secret', kind: 'Secret', open: true, reportedBy: 'server', settings: argocdSecret },
  {
    name: 'repository',
    kind: 'Secret',
    types: ['repository', 'repo-creds'],
    reportedBy: 'controller',
    settings: repositorySecretSettings,
  },
  { name: 'cluster', kind: 'Secret', types: ['cluster'], reportedBy: 'controller', settings: clusterSecretSettings },
];

export const secretTypeLabel = 'argocd.argoproj.io/secret-type';
