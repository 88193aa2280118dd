import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  type Schema,
  schemaOf,
  typeNamed,
} from '@fairlead/apimachinery';
import { groupOf, versionOf } from '../resource-id.ts';
import { asInLive, ignoreFields } from './ignore.ts';
import { lastAppliedAnnotation, lastAppliedOf } from './last-applied.ts';
import { merge, own } from './merge.ts';
import { declared, declaredMetadata, type StatusComparison } from './normalize.ts';
import { type Path, without } from './paths.ts';

export interface Difference {
  readonly modified: boolean;
  /** What the live object would be if the desired one were applied to it; the live object itself when nothing would change. */
  readonly predicted: KubeObject;
  /** The fields that would change, as `spec.replicas`; a few of them, for a sentence. */
  readonly fields: readonly string[];
}

export interface PredictOptions {
  /** What is known of a kind that is not built in. */
  readonly schema?: Schema | undefined;
  /** Of which kinds a status that is declared is left out of account; of all when not given. */
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
  const predicted = predict(desired, live, options);
  const left = ignoreFields(predicted as unknown as JsonObject, live as unknown as JsonObject, ignore);
  return differenceBetween(live, left as unknown as KubeObject);
}

/** What the live object would be if the desired one were applied to it by the client. */
export function predict(desired: KubeObject, live: KubeObject, options: PredictOptions = {}): KubeObject {
  const applied = lastAppliedOf(live);
  const target = declared(desired as unknown as JsonObject, options.ignoreStatus);
  const before = applied && declared(applied, options.ignoreStatus);
  const schema = schemaOf(groupOf(desired.apiVersion), versionOf(desired.apiVersion), desired.kind) ?? options.schema;
  const { apiVersion, kind, metadata: _, ...body } = target;
  const { apiVersion: _a, kind: _k, metadata: _m, ...appliedBody } = before ?? {};
  const { apiVersion: liveVersion, kind: liveKind, metadata, ...liveBody } = live as unknown as JsonObject;
  const mergedBody = merge(schema, appliedBody, body, liveBody) as JsonObject;
  const liveMeta = declaredMetadata(live);
  const mergedMeta = merge(
    objectMeta,
    withoutOwn(declaredMetadata(applied as unknown as KubeObject)),
    withoutOwn(declaredMetadata(desired)),
    liveMeta,
  );
  return {
    apiVersion: liveVersion ?? apiVersion!,
    kind: liveKind ?? kind!,
    metadata: mergedMeta === liveMeta ? metadata! : { ...(metadata as JsonObject), ...(mergedMeta as JsonObject) },
    ...(mergedBody === liveBody ? liveBody : mergedBody),
  } as unknown as KubeObject;
}

/** The difference between what is and what would be, where some of it does not count: on each side, by the paths that name it there. */
export function differenceBetween(
  live: KubeObject,
  predicted: KubeObject,
  ignored: { readonly live: readonly Path[]; readonly predicted: readonly Path[] } = { live: [], predicted: [] },
): Difference {
  const [is, wouldBe] = [live as unknown as JsonObject, predicted as unknown as JsonObject];
  const fields = changedFields(without(is, ignored.live), without(wouldBe, ignored.predicted));
  if (fields.length === 0) return { modified: false, predicted: live, fields: none };
  const shown = asInLive(wouldBe, is, [...ignored.live, ...ignored.predicted]);
  return { modified: true, predicted: shown as unknown as KubeObject, fields };
}

const none: readonly string[] = Object.freeze([]);

/** The annotation that keeps the last application is not part of what was applied. */
function withoutOwn(metadata: JsonObject): JsonObject {
  const { annotations } = metadata;
  if (!isJsonObject(annotations) || !(lastAppliedAnnotation in annotations)) return metadata;
  const { [lastAppliedAnnotation]: _, ...rest } = annotations;
  return { ...metadata, annotations: rest };
}

const mostFields = 20;

/** Where two values differ, at the level of fields: lists are named, not their items. */
export function changedFields(
  before: Json | undefined,
  after: Json | undefined,
  path = '',
  found: string[] = [],
): string[] {
  if (before === after || found.length >= mostFields) return found;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      changedFields(own(before, name), own(after, name), path === '' ? name : `${path}.${name}`, found);
    }
  } else if (!equalJson(before, after)) found.push(path);
  return found;
}
