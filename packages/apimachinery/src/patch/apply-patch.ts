import type { Json, JsonObject } from '../json/json-value.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { decodeJsonPatch, decodeMergePatch, decodeStrategicPatch } from './patch-document.ts';
import { strategicMerge } from './strategic-merge.ts';

export interface PatchReading {
  /** `fieldValidation` is not Ignore. */
  readonly strict?: boolean;
  /** Called with the findings of strict decoding in the patch. */
  readonly warn?: (message: string) => void;
}

/**
 * Applies one of the three patch types to a document, from the parsed body of a request. The inputs are not changed. The result must still
 * be decoded: it may be of another type than the document, or not an object at all.
 */
export function applyJsonPatch(document: JsonObject, body: Json, { strict = true, warn }: PatchReading = {}): Json {
  const decoded = decodeJsonPatch(body, strict);
  for (const message of decoded.strict) warn?.(message);
  return jsonPatch(document, decoded.patch);
}

export const applyMergePatch = (document: JsonObject, body: Json, { strict = true }: PatchReading = {}): Json =>
  mergePatch(document, decodeMergePatch(body, strict));

export const applyStrategicPatch = (document: JsonObject, body: Json, schema: ObjectSchema): JsonObject =>
  strategicMerge(document, decodeStrategicPatch(body), schema);
