import {
  applyJsonPatch,
  applyMergePatch,
  decodeTyped,
  describeSyntaxError,
  goValue,
  isObject,
  type Json,
  type JsonObject,
  messageOf,
  TypeMismatch,
} from '@fairlead/apimachinery';
import { messageNamed } from '../../messages/message-types.ts';
import { invalidArgument } from '../../rpc/rpc-error.ts';
import { unknown } from './requests.ts';

/** An Application after a patch of a request. The errors are those of Argo CD. */
export function patchedApplication(application: JsonObject, patch: string, patchType: string): JsonObject {
  if (patchType !== 'json' && patchType !== '' && patchType !== 'merge') {
    throw invalidArgument(`Patch type '${patchType}' is not supported`);
  }
  const isMerge = patchType === 'merge';
  const parsed = parsePatch(patch);
  if (parsed === undefined && isMerge) throw unknown('error calculating merge patch: Invalid JSON Patch');
  if (!isMerge && !Array.isArray(parsed)) {
    const why =
      parsed === undefined
        ? describeSyntaxError(patch)
        : `json: cannot unmarshal ${goValue(parsed)} into Go value of type jsonpatch.Patch`;
    throw unknown(`error decoding json patch: ${why}`);
  }
  let result: Json;
  try {
    // A patch that is not an object replaces everything.
    if (isMerge) result = isObject(parsed) ? applyMergePatch(application, parsed) : (parsed ?? null);
    else result = applyJsonPatch(application, Array.isArray(parsed) ? parsed : []);
  } catch (error) {
    throw unknown(`error applying patch: ${messageOf(error)}`);
  }
  if (!isObject(result)) {
    throw unknown(
      `error unmarshaling patched app: json: cannot unmarshal ${goValue(result)} into Go value of type v1alpha1.Application`,
    );
  }
  try {
    return decodeTyped(result, messageNamed('v1alpha1.Application')).object;
  } catch (error) {
    if (error instanceof TypeMismatch) throw unknown(`error unmarshaling patched app: ${error.message}`);
    throw error;
  }
}

function parsePatch(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
