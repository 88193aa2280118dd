import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  stringsAt,
  unstructured,
} from '@fairlead/apimachinery';
import { lastAppliedAnnotation } from './last-applied.ts';
import { withoutStringData } from './normalize.ts';

/** Replaces the first value of a key; each further value of the same key gets four more characters. */
const mask = '++++++++';

export interface MaskOptions {
  /** Annotations whose values are masked too (`resource.sensitive.mask.annotations`). */
  readonly annotations?: readonly string[];
}

export const isSecret = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean =>
  kind === 'Secret' && apiVersion === 'v1';

/**
 * Masks the values of Secrets in several states of one object (target, live, predicted): in `data`, `stringData` and the last-applied
 * annotation. Equal values have equal masks and different values different masks, so that changes stay visible. Other kinds are returned
 * unchanged.
 */
export function maskSecrets<T extends KubeObject | undefined>(
  states: readonly T[],
  options: MaskOptions = {},
): (T | KubeObject)[] {
  const masks = new Masks();
  return states.map((state) =>
    state && isSecret(state) ? unstructured(masked(unstructured(state), masks, options)) : state,
  );
}

function masked(secret: JsonObject, masks: Masks, { annotations: hidden = [] }: MaskOptions): JsonObject {
  const { data, metadata = {}, ...rest } = withoutStringData(secret);
  const annotations = isJsonObject(metadata) ? stringsAt(metadata, 'annotations') : {};
  return {
    ...rest,
    metadata:
      isJsonObject(metadata) && isJsonObject(metadata['annotations'])
        ? { ...metadata, annotations: maskAnnotations(annotations, masks, hidden) }
        : metadata,
    ...(data === undefined ? {} : { data: masks.hide('data', data) }),
  };
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

/** An invalid annotation may contain anything, so all of it is masked. */
function maskLastApplied(text: string, masks: Masks, hidden: readonly string[]): string {
  try {
    const applied: unknown = JSON.parse(text);
    if (!isJsonObject(applied) || !isJsonObject(applied['metadata'] ?? {})) return mask;
    return JSON.stringify(masked({ metadata: {}, ...applied }, masks, { annotations: hidden }));
  } catch {
    return mask;
  }
}

/** Shorter values occur everywhere by chance, and reveal nothing. */
const shortestHidden = 4;

/** A message about an object (an error of the API server, for example), without the values of a Secret. */
export function withoutSecrets(text: string, ...objects: readonly (KubeObject | undefined)[]): string {
  const values = objects.flatMap((object) => (object && isSecret(object) ? valuesIn(object) : []));
  // The longest first: one may be part of another.
  return values
    .filter((value) => value.length >= shortestHidden)
    .sort((a, b) => b.length - a.length)
    .reduce((shown, value) => shown.replaceAll(value, mask), text);
}

function valuesIn(secret: KubeObject): string[] {
  const { data, stringData } = unstructured(secret);
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
    // A server never accepts data that is not a map, but it must not be shown either.
    if (!isJsonObject(values)) return values === null ? null : mask;
    const entries = Object.entries(values).map(([name, value]): [string, Json] => [
      name,
      this.of(`${field} ${name}`, typeof value === 'string' ? value : JSON.stringify(value)),
    ]);
    return Object.fromEntries(entries);
  }
}
