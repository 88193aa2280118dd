import { isObject, isTooDeep, type Json, type JsonObject } from '../json/json-value.ts';
import { type ApiError, apiError } from '../meta/api-error.ts';
import { goJsonKind } from './go-format.ts';
import type { Operation } from './json-patch.ts';

/**
 * The parsed body of a patch. `strict` is `fieldValidation` other than Ignore (Warn is the default): the server then decodes the body a
 * second time, which gives other messages and finds unknown members of an operation.
 */
export interface Decoded<T> {
  readonly patch: T;
  /** Reported in Warning headers with `fieldValidation=Warn`, and refused with `Strict`. */
  readonly strict: readonly string[];
}

const badRequest = (message: string): ApiError => apiError(400, 'BadRequest', message);
const goMap = 'map[string]interface {}';

function refuseDepth(body: Json, prefix = ''): void {
  if (isTooDeep(body)) throw badRequest(`${prefix}exceeded max depth`);
}

export function decodeJsonPatch(body: Json, strict: boolean): Decoded<readonly Operation[]> {
  const prefix = strict ? 'error decoding patch: ' : '';
  refuseDepth(body, prefix);
  const mismatch = (value: Json, type: string): ApiError =>
    badRequest(`${prefix}json: cannot unmarshal ${goJsonKind(value)} into Go ${type}`);
  if (body === null) return { patch: [], strict: [] };
  if (!Array.isArray(body))
    throw mismatch(body, `value of type ${strict ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch'}`);
  const unknown: string[] = [];
  body.forEach((operation, index) => {
    if (operation === null) return;
    if (!isObject(operation)) {
      throw mismatch(operation, `value of type ${strict ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation'}`);
    }
    if (!strict) return;
    for (const [member, value] of Object.entries(operation)) {
      if (member === 'value') continue;
      if (member !== 'op' && member !== 'path' && member !== 'from') {
        unknown.push(`json patch unknown field "[${index}].${member}"`);
      } else if (value !== null && typeof value !== 'string') {
        throw mismatch(value, `struct field jsonPatchOp.${member} of type string`);
      }
    }
  });
  return { patch: body as Operation[], strict: unknown };
}

/** With `strict` off, a patch that is a list replaces the whole document; a single value is not a patch in either case. */
export function decodeMergePatch(body: Json, strict: boolean): JsonObject | Json[] {
  refuseDepth(body, strict ? 'error decoding patch: ' : '');
  if (isObject(body)) return body;
  if (strict && body !== null) {
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goJsonKind(body)} into Go value of type ${goMap}`);
  }
  if (Array.isArray(body)) return body;
  throw badRequest('Invalid JSON Patch');
}

export function decodeStrategicPatch(body: Json): JsonObject {
  refuseDepth(body);
  if (body === null) return {};
  if (!isObject(body)) {
    throw badRequest(`json: cannot unmarshal ${goJsonKind(body)} into Go value of type ${goMap}`);
  }
  return body;
}
