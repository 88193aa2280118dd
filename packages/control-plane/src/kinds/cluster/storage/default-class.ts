import type { KubeObject } from '@fairlead/apimachinery';

/** The newest of several default classes is used, and of equally new ones the first by name. */
export function defaultClass(classes: Iterable<KubeObject>, annotations: readonly string[]): string | undefined {
  let best: KubeObject | undefined;
  for (const candidate of classes) {
    if (!annotations.some((key) => candidate.metadata.annotations?.[key] === 'true')) continue;
    if (!best || isBefore(candidate, best)) best = candidate;
  }
  return best?.metadata.name;
}

function isBefore(left: KubeObject, right: KubeObject): boolean {
  const made = (object: KubeObject): string => object.metadata.creationTimestamp ?? '';
  return made(left) === made(right) ? left.metadata.name < right.metadata.name : made(left) > made(right);
}
