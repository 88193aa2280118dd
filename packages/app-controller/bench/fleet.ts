import { execFileSync } from 'node:child_process';
import type { Application } from '@fairlead/api';
import type { KubeObject } from '@fairlead/kube';

/** Objects of each Application: kinds that need no controller to be healthy. */
export const objectsEach = 10;
export const namespaces = 100;
export const namespaceOf = (i: number): string => `team-${i % namespaces}`;

const labels = (app: string): string => `  labels: {app: ${app}, tier: backend, owner: team}\n`;

/** The manifests of one Application, as its folder in the repository has them. */
export function manifestsOf(i: number, note = ''): string {
  const app = `app-${i}`;
  const head = (kind: string, name: string, apiVersion = 'v1'): string =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${labels(app)}`;
  const settings = Array.from(
    { length: 5 },
    (_, n) =>
      `${head('ConfigMap', `${app}-settings-${n}`)}data:\n  LOG_LEVEL: info\n  REGION: eu-west-${n}\n  note: "${n === 0 ? note : ''}"\n  url: https://api.example.com/${app}/${n}\n`,
  );
  return [
    ...settings,
    `${head('Secret', `${app}-key`)}type: Opaque\nstringData:\n  key: "${i}"\n`
      .replace('stringData', 'data')
      .replace(`"${i}"`, Buffer.from(String(i)).toString('base64')),
    head('ServiceAccount', app),
    `${head('Role', app, 'rbac.authorization.k8s.io/v1')}rules:\n- apiGroups: [""]\n  resources: [configmaps]\n  verbs: [get, list]\n`,
    `${head('RoleBinding', app, 'rbac.authorization.k8s.io/v1')}roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${app}}\nsubjects:\n- {kind: ServiceAccount, name: ${app}, namespace: ${namespaceOf(i)}}\n`,
    `${head('Service', app)}spec:\n  clusterIP: None\n  selector: {app: ${app}}\n  ports:\n  - {port: 80, targetPort: 8080, protocol: TCP}\n`,
  ].join('---\n');
}

/** Many Applications in one repository. */
export function createMonorepo(bare: string, apps: number): void {
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  commit(bare, 'first', new Map(Array.from({ length: apps }, (_, i) => [fileOf(i), manifestsOf(i)])));
}

export const fileOf = (i: number): string => `apps/app-${i}/all.yaml`;

export function commit(bare: string, message: string, files: ReadonlyMap<string, string>): void {
  const parts: string[] = ['commit refs/heads/main\ncommitter bench <bench@example.com> 1700000000 +0000\n'];
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  parts.push(data(message));
  if (message !== 'first') parts.push('from refs/heads/main^0\n');
  for (const [path, content] of files) parts.push(`M 100644 inline ${path}\n${data(content)}`);
  execFileSync('git', ['-C', bare, 'fast-import', '--quiet'], { input: parts.join('') });
}

export const applicationOf = (i: number, repoURL: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: `app-${i}`, namespace: 'argocd', labels: { team: namespaceOf(i) } },
  spec: {
    project: 'default',
    source: { repoURL, path: `apps/app-${i}`, targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: namespaceOf(i) },
    syncPolicy: { automated: { prune: true, selfHeal: true } },
  },
});

/** An object that no Application has: half of what is in the cluster. */
export const strangerOf = (i: number): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `stranger-${i}`, namespace: namespaceOf(i), labels: { app: `stranger-${i}`, made: 'by-hand' } },
    data: { LOG_LEVEL: 'info', url: `https://api.example.com/stranger/${i}` },
  }) as KubeObject;
