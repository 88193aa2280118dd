import type { Json, JsonObject } from '@fairlead/kube';

/** Reading objects whose shape is not known: what is missing or of another type is undefined, never an exception. */
export function at(value: unknown, ...path: readonly (string | number)[]): Json | undefined {
  let here = value as Json | undefined;
  for (const step of path) {
    if (here === null || typeof here !== 'object') return undefined;
    here = (here as Record<string | number, Json | undefined>)[step];
  }
  return here;
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** 0 when missing, as Go reads it. */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
