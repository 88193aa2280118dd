import { secretTypeLabel } from '@fairlead/api/settings';
import {
  checkSettings,
  readClusterSecret,
  readInstallation,
  type SettingFinding,
  type SettingObject,
} from '@fairlead/app-controller';
import { parseNotificationsConfig } from '@fairlead/app-controller/notifications';
import { checkPolicy, policyText } from '@fairlead/server';

/** Everything that the table and the readers of the settings find. A key is reported once. */
export function settingFindings(objects: readonly SettingObject[]): SettingFinding[] {
  const byTable = objects.flatMap(checkSettings);
  const known = new Set(byTable.filter(({ kind }) => kind !== 'different').map(nameOf));
  return [...byTable, ...byReaders(objects).filter((found) => !known.has(nameOf(found)))];
}

const nameOf = ({ object, key }: SettingFinding): string => `${object}: ${key}`;

/** What the code that reads a value knows beyond its type. */
function byReaders(objects: readonly SettingObject[]): SettingFinding[] {
  const dataOf = (name: string): SettingObject['data'] =>
    objects.find((each) => each.kind === 'ConfigMap' && each.name === name)?.data ?? {};
  return [
    ...readInstallation(dataOf('argocd-cm'), dataOf('argocd-cmd-params-cm')).problems.flatMap(installationFinding),
    ...notificationFindings(dataOf('argocd-notifications-cm')),
    ...policyFindings(dataOf('argocd-rbac-cm')),
    ...objects.flatMap(clusterFinding),
  ];
}

function installationFinding(problem: string): SettingFinding[] {
  const [, object = '', key = '', message = problem] = /^(ConfigMap \S+): (.+?): (.*)$/su.exec(problem) ?? [];
  return [{ kind: 'invalid', object, key, message, role: 'controller' }];
}

const notificationFindings = (data: SettingObject['data']): SettingFinding[] =>
  parseNotificationsConfig({ data, secrets: new Map(), now: () => Date.now() }).problems.map((problem) => {
    const [, part = '', message = problem] = /^([^:]+): (.*)$/su.exec(problem) ?? [];
    const key = part.replace(/^(trigger|template) ([^,]+).*$/su, '$1.$2');
    return { kind: 'invalid', object: 'ConfigMap argocd-notifications-cm', key, message, role: 'notifications' };
  });

function policyFindings(data: SettingObject['data']): SettingFinding[] {
  if (!('problem' in checkPolicy(policyText(data)))) return [];
  const message = 'the policy has a line that is neither p nor g, or has too few fields: run fairlead rbac validate';
  return [{ kind: 'invalid', object: 'ConfigMap argocd-rbac-cm', key: 'policy.csv', message, role: 'server' }];
}

function clusterFinding({ kind, name, labels, data }: SettingObject): SettingFinding[] {
  if (kind !== 'Secret' || labels[secretTypeLabel] !== 'cluster') return [];
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const secret = { apiVersion: 'v1', kind, metadata: { name }, data: Object.fromEntries(encoded) };
  const { problem } = readClusterSecret(secret);
  if (problem === undefined) return [];
  const [, key = '', message = problem] = /^Secret [^:]+: (\S+) (.*)$/su.exec(problem) ?? [];
  return [{ kind: 'invalid', object: `Secret ${name}`, key, message, role: 'controller' }];
}
