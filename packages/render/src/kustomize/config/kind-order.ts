/** The first and last kinds of the order. All others are between them, by group, version and kind. */
const firstKinds: readonly string[] = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];
const lastKinds: readonly string[] = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

export function kindRanks(first = firstKinds, last = lastKinds): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const [i, kind] of first.entries()) ranks.set(kind, i - first.length);
  for (const [i, kind] of last.entries()) ranks.set(kind, i + 1);
  return ranks;
}

interface PartialGvk {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

export const gvkSortText = ({ group, version, kind }: PartialGvk): string =>
  `${group || '~G'}_${version || '~V'}_${kind || '~K'}`;

const ranks = kindRanks();

export function compareGvk(a: PartialGvk, b: PartialGvk): number {
  const [x, y] = [ranks.get(a.kind ?? '') ?? 0, ranks.get(b.kind ?? '') ?? 0];
  if (x !== y) return x - y;
  const [left, right] = [gvkSortText(a), gvkSortText(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
