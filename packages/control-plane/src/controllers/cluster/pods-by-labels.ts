import type { LabelSelector } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';
import type { Pod } from './objects.ts';
import { compileSelector } from './scheduler/selection.ts';

const byNamespace = 'pod/namespace';
const byLabel = 'pod/label';
const namespaceOf = (pod: Pod): string[] => [pod.metadata.namespace ?? ''];
const labelsOf = (pod: Pod): string[] =>
  Object.entries(pod.metadata.labels ?? {}).map(([key, value]) => `${pod.metadata.namespace}/${key}=${value}`);

/** Index of pods by namespace and by each of their labels. */
export const indexPods = (pods: Informer<Pod>): Informer<Pod> =>
  pods.addIndex(byNamespace, namespaceOf).addIndex(byLabel, labelsOf);

/** Checks only pods that have one of the required labels: the rarest one. */
export function podsSelected(pods: Informer<Pod>, namespace: string, selector: LabelSelector): Pod[] {
  const pairs = Object.entries(selector.matchLabels ?? {});
  let candidates: Pod[] | undefined;
  for (const [key, value] of pairs) {
    const found = pods.byIndex(byLabel, `${namespace}/${key}=${value}`);
    if (!candidates || found.length < candidates.length) candidates = found;
  }
  candidates ??= pods.byIndex(byNamespace, namespace);
  if (pairs.length === 1 && !selector.matchExpressions?.length) return candidates;
  const { matches } = compileSelector(selector);
  return candidates.filter((pod) => matches(pod.metadata.labels));
}
