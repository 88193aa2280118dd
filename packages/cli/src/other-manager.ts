import type { KubeObject } from '@fairlead/apimachinery';

/** Marks that a deployment tool puts on the objects that it manages. */
const annotations = [
  'argocd.argoproj.io/tracking-id',
  'kubectl.kubernetes.io/last-applied-configuration',
  'meta.helm.sh/release-name',
];
const labels = ['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by'];

/**
 * What shows that someone else manages an object: an Application, Helm, kubectl apply or another server-side apply. It must not be
 * overwritten then. Undefined if only Fairlead has written it.
 */
export function otherManager({ metadata }: KubeObject): string | undefined {
  const annotation = annotations.find((name) => metadata.annotations?.[name] !== undefined);
  if (annotation) return `annotation ${annotation}`;
  const label = labels.find((name) => metadata.labels?.[name] !== undefined);
  if (label) return `label ${label}`;
  const applied = (metadata.managedFields ?? []).find(({ operation }) => operation === 'Apply');
  return applied ? `field manager ${applied.manager ?? ''}` : undefined;
}
