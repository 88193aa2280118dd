import {
  ApiError,
  applyStrategicPatch,
  at,
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  listAt,
  mergePatch,
  own,
  threeWayMergePatch,
  threeWayStrategicPatch,
  unstructured,
} from '@fairlead/apimachinery';
import { asInLive } from './ignore.ts';
import { type KnownTypeField, withKnownTypes } from './known-types.ts';
import { lastAppliedAnnotation, lastAppliedOf } from './last-applied.ts';
import { declared, declaredMetadata, type StatusComparison } from './normalize.ts';
import { withNullEntries } from './nulls.ts';
import { type Path, without } from './paths.ts';
import { comparedType, onlyFieldsOf, onlyItemsOf, throughType } from './through-type.ts';
import { withDefaults } from './with-defaults.ts';

export interface Difference {
  readonly modified: boolean;
  /** The live object after an apply; the live object itself when nothing would change. */
  readonly predicted: KubeObject;
  /** Some of the fields that would change, such as `spec.replicas`. */
  readonly fields: readonly string[];
}

/** The live object before and after an apply, both normalized; the same object when nothing would change. */
export interface Prediction {
  readonly live: KubeObject;
  readonly predicted: KubeObject;
}

export interface PredictOptions {
  /** The fields of a custom kind that hold built-in types. */
  readonly knownTypes?: readonly KnownTypeField[] | undefined;
  /** The kinds whose declared status is ignored; all by default. */
  readonly ignoreStatus?: StatusComparison;
}

/**
 * Whether applying `desired` would change `live`: three-way on the last-applied annotation, two-way without it. Only declared fields, and
 * fields that were applied before and are no longer declared, are compared; server-side defaults are not.
 */
export function diff(desired: KubeObject, live: KubeObject, options: PredictOptions = {}): Difference {
  const prediction = predict(desired, live, options);
  return differenceBetween(prediction.live, prediction.predicted);
}

/** The live object after a client-side apply of the desired one. */
export function predict(desired: KubeObject, seen: KubeObject, options: PredictOptions = {}): Prediction {
  const live = normalized(unstructured(seen), options);
  const applied = lastAppliedOf(seen);
  const manifest = unstructured(desired);
  const modified = declaredParts(manifest, options);
  // Usually the manifest has not changed since it was applied: then it is normalized once, and nothing is deleted.
  const original = applied && !equalJson(applied, manifest) ? declaredParts(applied, options) : modified;
  const predicted = comparedType(desired.apiVersion, desired.kind)
    ? predictTyped(desired, { original, modified, current: live })
    : predictJson({ original, modified, current: live });
  if (predicted === live) return { live: seen, predicted: seen };
  return { live: withDefaults(unstructured(live)), predicted: withDefaults(unstructured(predicted)) };
}

interface States {
  readonly original: JsonObject;
  readonly modified: JsonObject;
  readonly current: JsonObject;
}

function predictTyped({ apiVersion, kind }: KubeObject, states: States): JsonObject {
  const schema = comparedType(apiVersion, kind);
  if (!schema) return predictJson(states);
  const current = kind === 'StatefulSet' ? withoutClaimDefaults(states) : states.current;
  const patch = threeWayStrategicPatch({ ...states, current }, schema);
  if (isEmpty(patch)) return states.current;
  try {
    return applyStrategicPatch(states.current, patch, schema);
  } catch (error) {
    // A newer server may have fields and lists that the type does not know.
    if (error instanceof ApiError) return predictJson(states);
    throw error;
  }
}

/** Fields of the live object that were never applied are ignored, also inside of lists. */
function predictJson({ original, modified, current }: States): JsonObject {
  const patch = threeWayMergePatch({ original, modified, current: onlyFieldsOf(original, current) });
  const predicted = isEmpty(patch) ? current : mergePatch(current, patch);
  return isJsonObject(predicted) ? predicted : current;
}

/** The server sets defaults in claim templates that depend on the cluster. */
function withoutClaimDefaults({ original, current }: States): JsonObject {
  const spec = at(current, 'spec');
  const templates = at(original, 'spec', 'volumeClaimTemplates');
  if (!isJsonObject(spec) || !Array.isArray(templates)) return current;
  const live = listAt(spec, 'volumeClaimTemplates') as readonly Json[];
  return { ...current, spec: { ...spec, volumeClaimTemplates: onlyItemsOf(templates as Json[], live) } };
}

const isEmpty = (object: object): boolean => Object.keys(object).length === 0;

const prepared = new WeakMap<JsonObject, { readonly options: PredictOptions; readonly parts: JsonObject }>();

/** The declared fields of a manifest, as the server would store them. Computed once per manifest. */
function declaredParts(manifest: JsonObject, options: PredictOptions): JsonObject {
  const known = prepared.get(manifest);
  if (known && known.options.ignoreStatus === options.ignoreStatus && known.options.knownTypes === options.knownTypes)
    return known.parts;
  const written = normalized(withNullEntries(manifest, throughType(manifest)), options);
  const { apiVersion: _a, kind: _k, metadata: _m, ...body } = declared(written, options.ignoreStatus);
  const metadata = withoutLastApplied(declaredMetadata(written));
  const parts = isEmpty(metadata) ? body : { ...body, metadata };
  prepared.set(manifest, { options, parts });
  return parts;
}

const normalized = (object: JsonObject, { knownTypes }: PredictOptions): JsonObject =>
  knownTypes ? withKnownTypes(object, knownTypes) : object;

/** The difference between the live object and its prediction, without the ignored paths of each side. */
export function differenceBetween(
  live: KubeObject,
  predicted: KubeObject,
  ignored: { readonly live: readonly Path[]; readonly predicted: readonly Path[] } = { live: [], predicted: [] },
): Difference {
  const [before, after] = [unstructured(live), unstructured(predicted)];
  const fields = changedFields(without(before, ignored.live), without(after, ignored.predicted));
  if (fields.length === 0) return { modified: false, predicted: live, fields: none };
  const shown = asInLive(after, before, [...ignored.live, ...ignored.predicted]);
  return { modified: true, predicted: unstructured(shown), fields };
}

const none: readonly string[] = Object.freeze([]);

/** The last-applied annotation itself is not part of the applied manifest. */
function withoutLastApplied(metadata: JsonObject): JsonObject {
  const { annotations } = metadata;
  if (!isJsonObject(annotations) || !(lastAppliedAnnotation in annotations)) return metadata;
  const { [lastAppliedAnnotation]: _, ...rest } = annotations;
  return { ...metadata, annotations: rest };
}

const maxFields = 20;

/** The fields in which two values differ, such as `spec.replicas`. A list is one field. */
export function changedFields(
  before: Json | undefined,
  after: Json | undefined,
  path = '',
  found: string[] = [],
): string[] {
  if (before === after || found.length >= maxFields) return found;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      changedFields(own(before, name), own(after, name), path === '' ? name : `${path}.${name}`, found);
    }
  } else if (!equalJson(before, after)) found.push(path);
  return found;
}
