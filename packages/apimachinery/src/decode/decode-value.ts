import type { Json } from '../json/json-value.ts';
import type { Unstructured } from '../meta/object.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { decodeCustom } from './custom.ts';
import { type Document, hasDuplicates } from './document.ts';
import { scanStrictly } from './strict-scan.ts';
import { TypeMismatch } from './type-mismatch.ts';
import { decodeTyped, mostFindings } from './typed.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface ValueOptions {
  readonly fieldValidation: FieldValidation;
  /** A custom resource: it is pruned by its schema, and its values are unchanged. */
  readonly custom?: boolean;
  /** Written by the server itself, with sorted keys: its unknown fields are found in that order. */
  readonly inKeyOrder?: boolean;
}

export type DecodedValue =
  | { readonly draft: Unstructured; readonly warnings: readonly string[] }
  /**
   * Why the value is not an object of the type, with the message of kube-apiserver. `conversion` is the message for an already parsed
   * value.
   */
  | { readonly problem: string; readonly conversion?: string };

/** Decodes an already parsed value (a patched object) as an object of its type. The value is not changed. */
export function decodeValue(value: Json, schema: ObjectSchema, options: ValueOptions): DecodedValue {
  return decodeParsed({ value }, schema, options);
}

export function decodeParsed(document: Document, schema: ObjectSchema, options: ValueOptions): DecodedValue {
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'the value is not an object' };
  try {
    const { object, unknown } = options.custom ? decodeCustom(value, schema) : decodeTyped(value, schema);
    const strict = strictFindings(document, schema, unknown, options);
    if (options.fieldValidation === 'Strict' && strict.length > 0) {
      return { problem: `strict decoding error: ${strict.join(', ')}` };
    }
    return { draft: object as Unstructured, warnings: strict };
  } catch (error) {
    if (error instanceof TypeMismatch) {
      const { message: problem, conversion } = error;
      return conversion === undefined ? { problem } : { problem, conversion };
    }
    throw error;
  }
}

function strictFindings(
  document: Document,
  schema: ObjectSchema,
  unknown: readonly string[],
  { fieldValidation, custom, inKeyOrder }: ValueOptions,
): readonly string[] {
  const { json } = document;
  const isStrict = fieldValidation !== 'Ignore';
  const met = inKeyOrder && unknown.length > 1 ? sortedByKeys(unknown, custom) : unknown;
  const unknownFields = met.map((path) => `unknown field ${JSON.stringify(path)}`);
  const duplicates = isStrict && hasDuplicates(document);
  if (json && (duplicates || (json.survey.hasFractions && !custom))) {
    const { strict, mismatch } = scanStrictly(json.text, custom ? undefined : schema);
    if (mismatch) throw mismatch;
    if (duplicates) return custom ? [...strict, ...unknownFields].slice(0, mostFindings) : strict;
  }
  if (!isStrict) return [];
  const inYaml = document.yamlDuplicates?.() ?? [];
  const yamlErrors = inYaml.length > 0 ? [`yaml: unmarshal errors:\n  ${inYaml.join('\n  ')}`] : [];
  return [...yamlErrors, ...unknownFields];
}

/** The metadata of a custom resource is decoded before the rest. */
function sortedByKeys(paths: readonly string[], custom: boolean | undefined): string[] {
  const keysOf = (path: string): string[] => [
    ...(custom ? [path.startsWith('metadata.') ? '0' : '1'] : []),
    ...path.split(/[.[]/).map((key) => (key.endsWith(']') ? key.padStart(8, '0') : key)),
  ];
  return paths
    .map((path) => ({ path, keys: keysOf(path) }))
    .sort((a, b) => {
      const at = a.keys.findIndex((key, index) => key !== b.keys[index]);
      return (a.keys[at] ?? '') < (b.keys[at] ?? '') ? -1 : 1;
    })
    .map(({ path }) => path);
}
