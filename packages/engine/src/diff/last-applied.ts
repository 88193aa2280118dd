import { isJsonObject, type Json, type JsonObject, type KubeObject } from '@fairlead/apimachinery';

/** Where kubectl, Argo CD and we keep what was applied last: what to remove is what is in it and no longer declared. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Undefined when there is none, or when it cannot be read: then nothing is known to have been ours. */
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

/** The annotation's value for an object, as kubectl writes it: keys in order, the annotation itself left out, a newline at the end. */
export function lastAppliedText(object: KubeObject): string {
  const { [lastAppliedAnnotation]: _, ...annotations } = object.metadata.annotations ?? {};
  const metadata = { ...object.metadata, annotations };
  return `${JSON.stringify(inOrder({ ...object, metadata } as unknown as Json))}\n`;
}

function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, inOrder(value[name]!)]),
  );
}
