import { escapeHtml } from '../json/escape-html.ts';
import { copyJson, isObject, type Json, type JsonObject, own, put } from '../json/json-value.ts';
import { checkType } from './check-type.ts';
import { compare } from './compare.ts';
import { difference, type FieldSet } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { SchemaMismatch } from './list-items.ts';
import type { Shape } from './shape.ts';

/**
 * The migration from client-side apply, for the manager `kubectl` only: fields of the last-applied annotation that are unchanged may be
 * taken over without a conflict, and the annotation is kept up to date so that one can switch back.
 */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

const maxAnnotations = 256 * 1024;

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = own(object, 'metadata');
  const annotations = isObject(metadata) ? own(metadata, 'annotations') : undefined;
  return isObject(annotations) ? annotations : undefined;
}

function lastAppliedOf(object: JsonObject): string {
  const text = own(annotationsOf(object) ?? {}, lastAppliedAnnotation);
  return typeof text === 'string' ? text : '';
}

/** The unchanged fields of the last client-side apply; undefined if they cannot be determined. */
export function fieldsLastApplied(live: JsonObject, shape: Shape, apiVersion: string): FieldSet | undefined {
  const lastApplied = parse(lastAppliedOf(live));
  if (!lastApplied?.['kind'] || lastApplied['apiVersion'] !== apiVersion) return undefined;
  try {
    checkType(shape, lastApplied);
    const { added, modified, removed } = compare(shape, lastApplied, live);
    return difference(difference(difference(fieldsOf(shape, lastApplied), modified), added), removed);
  } catch (error) {
    if (error instanceof SchemaMismatch) return undefined;
    throw error;
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the configuration into the annotation if the object has one. Removes it if the annotations would become too large. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (lastAppliedOf(object) === '') return object;
  const annotations: JsonObject = { ...annotationsOf(object), [lastAppliedAnnotation]: lastAppliedText(config) };
  const size = Object.entries(annotations).reduce((sum, [key, value]) => sum + bytes(key) + bytes(String(value)), 0);
  if (size > maxAnnotations) delete annotations[lastAppliedAnnotation];
  const metadata = object['metadata'];
  return { ...object, metadata: { ...(isObject(metadata) ? metadata : {}), annotations } };
}

const bytes = (text: string): number => Buffer.byteLength(text);

/** JSON with sorted keys and a newline at the end, without the annotation itself: the text that `kubectl` writes. */
function lastAppliedText(config: JsonObject): string {
  const copy = copyJson(config);
  const annotations = annotationsOf(copy);
  if (annotations) delete annotations[lastAppliedAnnotation];
  return `${escapeHtml(JSON.stringify(sortKeys(copy)))}\n`;
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const sorted: JsonObject = {};
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, child] of entries) put(sorted, key, sortKeys(child));
  return sorted;
}
