import type { Json } from '../json/json-value.ts';
import { hasDuplicates } from './document.ts';
import { surveyJson } from './json-survey.ts';
import { scanStrictly } from './strict-scan.ts';

/** `duplicate field "a.b"` for each duplicate key in an object of a JSON text, as for merge patches. */
export function duplicateFields(text: string, value: Json): readonly string[] {
  if (!hasDuplicates({ value, json: { text, survey: surveyJson(text) } })) return [];
  return scanStrictly(text, undefined).strict;
}
