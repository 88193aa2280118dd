import type { KubeObject } from '@fairlead/apimachinery';
import { helmAnnotations, knownAnnotations } from '../annotations.ts';

const parsed = (text: string | undefined): number | undefined =>
  text !== undefined && /^[+-]?\d+$/u.test(text) ? Number(text) : undefined;

/** The sync wave of an object: its annotation, or Helm's weight, or 0. A value that is not an integer is ignored. */
export function waveOf(object: KubeObject | undefined): number {
  const annotations = object?.metadata.annotations;
  return (
    parsed(annotations?.[knownAnnotations.syncWave.name]) ?? parsed(annotations?.[helmAnnotations.hookWeight]) ?? 0
  );
}
