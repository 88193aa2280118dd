import type { KubeObject } from '@fairlead/apimachinery';

const waveAnnotation = 'argocd.argoproj.io/sync-wave';
const helmWeight = 'helm.sh/hook-weight';

const parsed = (text: string | undefined): number | undefined =>
  text !== undefined && /^[+-]?\d+$/u.test(text) ? Number(text) : undefined;

/** The wave that an object is in: its own, or Helm's weight, or 0. What is no whole number says nothing. */
export function waveOf(object: KubeObject | undefined): number {
  const annotations = object?.metadata.annotations;
  return parsed(annotations?.[waveAnnotation]) ?? parsed(annotations?.[helmWeight]) ?? 0;
}
