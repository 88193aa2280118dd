import { isJsonObject, type Json, type JsonObject, type KubeObject, unstructured } from '@fairlead/apimachinery';

/** The last applied manifest, as in kubectl: a field that is in it and no longer declared is removed. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The last applied manifest; undefined when the annotation is absent or invalid, so that nothing is removed. */
export function lastAppliedOf(live: KubeObject): JsonObject | undefined {
  const text = live.metadata.annotations?.[lastAppliedAnnotation];
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the annotation is absent or valid: kubectl refuses to apply to an object with an invalid one. */
export const isLastAppliedValid = (live: KubeObject): boolean =>
  live.metadata.annotations?.[lastAppliedAnnotation] === undefined || lastAppliedOf(live) !== undefined;

/** The value of the annotation as kubectl writes it: sorted keys, without the annotation itself, with a final newline. */
export function lastAppliedText(object: KubeObject): string {
  const { [lastAppliedAnnotation]: _, ...annotations } = object.metadata.annotations ?? {};
  const metadata = { ...object.metadata, annotations };
  return `${JSON.stringify(sortKeys(unstructured({ ...object, metadata })))}\n`;
}

/** JSON in the format of Go. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sortKeys(inner)]),
  );
}
