/** The deployed content of a run: a fixed number of slots, each with a folder in a repository. Churn changes, deletes and creates them. */
export interface Slot {
  readonly name: string;
  /** `hub`: an Application; `edge`: an Application for the agent's cluster; `tenant`: a GitOpsDeployment. */
  readonly kind: 'hub' | 'edge' | 'tenant';
  /** The namespace of its objects. */
  readonly namespace: string;
  readonly repository: string;
  /** The expected content of the ConfigMap of the slot. */
  n: number;
  isPresent: boolean;
}

export const repositories = ['shop', 'billing', 'platform'] as const;
export const tenants = ['team-red', 'team-blue', 'team-green'] as const;

export interface SlotCounts {
  readonly hub: number;
  readonly edge: number;
  readonly perTenant: number;
}

export function createSlots({ hub, edge, perTenant }: SlotCounts): Slot[] {
  const make = (kind: Slot['kind'], name: string, namespace: string, i: number): Slot => ({
    name,
    kind,
    namespace,
    repository: repositories[i % repositories.length] ?? repositories[0],
    n: 0,
    isPresent: true,
  });
  return [
    ...Array.from({ length: hub }, (_, i) => make('hub', `app-${i}`, `app-${i}`, i)),
    ...Array.from({ length: edge }, (_, i) => make('edge', `edge-${i}`, `edge-${i}`, i)),
    ...tenants.flatMap((tenant) =>
      Array.from({ length: perTenant }, (_, i) => make('tenant', `${tenant}-${i}`, tenant, i)),
    ),
  ];
}

/** The files of a slot: a directory, a kustomization or a chart, with more or fewer objects from commit to commit. */
export function slotFiles(name: string, n: number, index: number): Record<string, string> {
  const extra = Array.from({ length: n % 5 }, (_, i) => configMap(`${name}-extra-${i}`, n));
  const objects = [configMap(name, n), ...extra, ...(index % 4 === 0 ? [deployment(name, n)] : [])];
  const all = objects.map((object) => JSON.stringify(object)).join('\n---\n');
  switch (index % 3) {
    case 0:
      return { 'all.yaml': all };
    case 1:
      return { 'all.yaml': all, 'kustomization.yaml': 'resources: [all.yaml]\nlabels: [{pairs: {soak: yes-it-is}}]\n' };
    default:
      return {
        'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
        'values.yaml': `number: "${n}"\n`,
        'templates/all.yaml': all.replaceAll(`"n":"${n}"`, '"n":{{ .Values.number | quote }}'),
      };
  }
}

const configMap = (name: string, n: number): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { n: String(n) },
});

const deployment = (name: string, n: number): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'web', image: `registry.soak.local/web:1.${n % 7}` }] },
    },
  },
});
