import { execFileSync } from 'node:child_process';
import type { Application } from '@fairlead/api';
import type { JsonObject, KubeObject } from '@fairlead/apimachinery';
import { defaultTracker } from '@fairlead/engine';

/** Objects of each Application: kinds that need no controller to be healthy. */
export const objectsEach = 10;
export const namespaces = 100;
export const namespaceOf = (i: number): string => `team-${i % namespaces}`;

/** The objects of one Application. */
export function objectsOf(i: number, note = ''): (KubeObject & JsonObject)[] {
  const app = `app-${i}`;
  const object = (apiVersion: string, kind: string, name: string, rest: JsonObject = {}): KubeObject & JsonObject => ({
    apiVersion,
    kind,
    metadata: { name, labels: { app, tier: 'backend', owner: 'team' } },
    ...rest,
  });
  const rbac = 'rbac.authorization.k8s.io';
  const settings = Array.from({ length: 5 }, (_, n) =>
    object('v1', 'ConfigMap', `${app}-settings-${n}`, {
      data: {
        LOG_LEVEL: 'info',
        REGION: `eu-west-${n}`,
        note: n === 0 ? note : '',
        url: `https://api.example.com/${app}/${n}`,
      },
    }),
  );
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
  const subjects = [{ kind: 'ServiceAccount', name: app, namespace: namespaceOf(i) }];
  const ports = [{ port: 80, targetPort: 8080, protocol: 'TCP' }];
  return [
    ...settings,
    object('v1', 'Secret', `${app}-key`, { type: 'Opaque', data: { key: Buffer.from(String(i)).toString('base64') } }),
    object('v1', 'ServiceAccount', app),
    object(`${rbac}/v1`, 'Role', app, { rules }),
    object(`${rbac}/v1`, 'RoleBinding', app, { roleRef: { apiGroup: rbac, kind: 'Role', name: app }, subjects }),
    object('v1', 'Service', app, { spec: { clusterIP: 'None', selector: { app }, ports } }),
  ];
}

/** The manifests of one Application, as in its directory of the repository. */
export const manifestsOf = (i: number, note = ''): string =>
  objectsOf(i, note)
    .map((object) => `${JSON.stringify(object, null, 1)}\n`)
    .join('---\n');

/** The objects as a sync leaves them in the cluster. */
export const syncedObjectsOf = (i: number): KubeObject[] =>
  objectsOf(i).map((object) => {
    const metadata = { ...object.metadata, namespace: namespaceOf(i) };
    const tracked = defaultTracker.mark({ ...object, metadata }, `app-${i}`);
    const applied = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(tracked) };
    return {
      ...tracked,
      metadata: { ...tracked.metadata, annotations: { ...tracked.metadata.annotations, ...applied } },
    };
  });

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

/** An object of no Application: half of the objects in the cluster. */
export const strangerOf = (i: number): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `stranger-${i}`, namespace: namespaceOf(i), labels: { app: `stranger-${i}`, made: 'by-hand' } },
    data: { LOG_LEVEL: 'info', url: `https://api.example.com/stranger/${i}` },
  }) as KubeObject;
