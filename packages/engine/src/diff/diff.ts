import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  own,
  type Schema,
  schemaOf,
  typeNamed,
  unstructured,
} from '@fairlead/apimachinery';
import { groupOf, versionOf } from '../resource-id.ts';
import { asInLive, ignoreFields } from './ignore.ts';
import { lastAppliedAnnotation, lastAppliedOf } from './last-applied.ts';
import { merge } from './merge.ts';
import { declared, declaredMetadata, type StatusComparison } from './normalize.ts';
import { type Path, without } from './paths.ts';

export interface Difference {
  readonly modified: boolean;
  /** The live object after an apply; the live object itself when nothing would change. */
  readonly predicted: KubeObject;
  /** Some of the fields that would change, such as `spec.replicas`. */
  readonly fields: readonly string[];
}

export interface PredictOptions {
  /** The schema of a kind that is not built in. */
  readonly schema?: Schema | undefined;
  /** The kinds whose declared status is ignored; all by default. */
  readonly ignoreStatus?: StatusComparison;
}

export interface DiffOptions extends PredictOptions {
  /** Fields that may differ, as JSON pointers. */
  readonly ignore?: readonly string[];
}

const objectMeta = typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');

/**
 * Whether applying `desired` would change `live`: three-way on the last-applied annotation, two-way without it. Only what desired
 * declares, and what was applied before and is no longer declared, is compared; defaults that the server filled in are not.
 */
export function diff(desired: KubeObject, live: KubeObject, { ignore = [], ...options }: DiffOptions = {}): Difference {
  const predicted = unstructured(predict(desired, live, options));
  return differenceBetween(live, unstructured(ignoreFields(predicted, unstructured(live), ignore)));
}

/** The live object after a client-side apply of the desired one. */
export function predict(desired: KubeObject, live: KubeObject, options: PredictOptions = {}): KubeObject {
  const applied = lastAppliedOf(live);
  const before = applied && declared(applied, options.ignoreStatus);
  const schema = schemaOf(groupOf(desired.apiVersion), versionOf(desired.apiVersion), desired.kind) ?? options.schema;
  const body = bodyOf(declared(unstructured(desired), options.ignoreStatus));
  const liveBody = bodyOf(unstructured(live));
  const mergedBody = merge(schema, bodyOf(before ?? {}), body, liveBody);
  const liveMeta = declaredMetadata(live);
  const mergedMeta = merge(
    objectMeta,
    withoutLastApplied(declaredMetadata(applied)),
    withoutLastApplied(declaredMetadata(desired)),
    liveMeta,
  );
  const { apiVersion, kind, metadata } = live;
  return {
    apiVersion,
    kind,
    metadata: mergedMeta === liveMeta || !isJsonObject(mergedMeta) ? metadata : { ...metadata, ...mergedMeta },
    ...(isJsonObject(mergedBody) ? mergedBody : liveBody),
  };
}

function bodyOf(object: JsonObject): JsonObject {
  const { apiVersion: _a, kind: _k, metadata: _m, ...body } = object;
  return body;
}

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

/** The last-applied annotation is not part of what was applied. */
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
