import { isJsonObject, type Json, type JsonObject, type KubeObject } from '@fairlead/apimachinery';
import { lastAppliedAnnotation } from './last-applied.ts';
import { withoutStringData } from './normalize.ts';

/** What stands for the first value of a key; each other value of the same key gets four more. */
const mask = '++++++++';

export interface MaskOptions {
  /** Annotations whose values are hidden too (`resource.sensitive.mask.annotations`). */
  readonly annotations?: readonly string[];
}

export const isSecret = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean =>
  kind === 'Secret' && apiVersion === 'v1';

/**
 * Several states of one object (what is wanted, what is there, what would be), with the values of Secrets hidden: in `data`, in
 * `stringData`, and in the annotation that keeps what was applied last. Equal values have equal masks and different ones different masks,
 * so that what changes can still be seen. Other kinds come back as they are.
 */
export function maskSecrets<T extends KubeObject | undefined>(states: readonly T[], options: MaskOptions = {}): T[] {
  const masks = new Masks();
  return states.map((state) => (state && isSecret(state) ? (masked(state, masks, options) as T) : state));
}

function masked(secret: KubeObject, masks: Masks, { annotations: hidden = [] }: MaskOptions): KubeObject {
  const { data, metadata, ...rest } = withoutStringData(secret as unknown as JsonObject);
  const { annotations } = secret.metadata;
  return {
    ...rest,
    metadata: annotations
      ? { ...(metadata as JsonObject), annotations: maskAnnotations(annotations, masks, hidden) }
      : metadata,
    ...(data === undefined ? {} : { data: masks.hide('data', data) }),
  } as unknown as KubeObject;
}

function maskAnnotations(
  annotations: Readonly<Record<string, string>>,
  masks: Masks,
  hidden: readonly string[],
): Record<string, string> {
  const entries = Object.entries(annotations).map(([name, text]): [string, string] => {
    if (hidden.includes(name)) return [name, masks.of(`annotation ${name}`, text)];
    return name === lastAppliedAnnotation ? [name, maskLastApplied(text, masks, hidden)] : [name, text];
  });
  return Object.fromEntries(entries);
}

/** One that cannot be read may hold anything. */
function maskLastApplied(text: string, masks: Masks, hidden: readonly string[]): string {
  try {
    const applied: unknown = JSON.parse(text);
    if (!isJsonObject(applied) || !isJsonObject(applied['metadata'] ?? {})) return mask;
    const object = { metadata: {}, ...applied } as unknown as KubeObject;
    return JSON.stringify(masked(object, masks, { annotations: hidden }));
  } catch {
    return mask;
  }
}

/** Shorter values stand everywhere by chance, and tell nobody anything. */
const shortestHidden = 4;

/** A text that speaks of an object (what a server said of it), without what a Secret holds. */
export function withoutSecrets(text: string, ...objects: readonly (KubeObject | undefined)[]): string {
  const values = objects.flatMap((object) => (object && isSecret(object) ? valuesIn(object) : []));
  // The longest first: one may be part of another.
  return values
    .filter((value) => value.length >= shortestHidden)
    .sort((a, b) => b.length - a.length)
    .reduce((shown, value) => shown.replaceAll(value, mask), text);
}

function valuesIn(secret: KubeObject): string[] {
  const { data, stringData } = secret as unknown as JsonObject;
  const texts = (values: Json | undefined): string[] =>
    isJsonObject(values)
      ? Object.values(values).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      : [];
  return [
    ...texts(stringData),
    ...texts(data).flatMap((value) => [value, Buffer.from(value, 'base64').toString('utf8')]),
  ];
}

class Masks {
  readonly #known = new Map<string, Map<string, string>>();

  of(key: string, value: string): string {
    const ofKey = this.#known.get(key) ?? new Map<string, string>();
    this.#known.set(key, ofKey);
    const known = ofKey.get(value) ?? mask + '++++'.repeat(ofKey.size);
    ofKey.set(value, known);
    return known;
  }

  hide(field: string, values: Json): Json {
    // What is no map was never accepted by a server, and is no reason to show it.
    if (!isJsonObject(values)) return values === null ? null : mask;
    const entries = Object.entries(values).map(([name, value]): [string, Json] => [
      name,
      this.of(`${field} ${name}`, typeof value === 'string' ? value : JSON.stringify(value)),
    ]);
    return Object.fromEntries(entries);
  }
}
