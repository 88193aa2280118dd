import type { Json, JsonObject } from '../json/json-value.ts';
import { type ApiError, apiError } from '../meta/api-error.ts';
import { goText, goType } from './go-format.ts';

const badRequest = (message: string): ApiError => apiError(400, 'BadRequest', message);
/** An error that the server cannot classify is a 500 without a reason, although the client caused it. */
const unclassified = (message: string): ApiError => apiError(500, undefined, message);

/** Go prints a directive with `%s`, which marks a value that is not a string. */
const goFormatted = (directive: Json): string =>
  typeof directive === 'string' ? directive : `%!s(${goType(directive)}=${goText(directive)})`;

/** The errors of a strategic merge patch, with the messages of kube-apiserver. */
export const strategicError = {
  retainKeys: (): ApiError => badRequest('invalid patch format of retainKeys'),
  primitiveList: (): ApiError => badRequest('invalid patch format of primitive list'),
  setElementOrder: (): ApiError => badRequest('invalid patch format of setElementOrder list'),
  listOfLists: (): ApiError =>
    apiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {}),
  noMergeKey: (item: Json, mergeKey: string): ApiError =>
    unclassified(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`),
  directive: (directive: Json, patch: JsonObject): ApiError =>
    unclassified(`unknown patch type: ${goFormatted(directive)} in map: ${goText(patch)}`),
  mergeDirectiveInList: (): ApiError => unclassified('merging lists cannot yet be specified in the patch'),
  wrongType: (expected: Json, actual: Json): ApiError =>
    unclassified(`expected a ${goType(expected)}, but received a ${goType(actual)}`),
  notAMap: (index: number): ApiError => unclassified(`value for key ${index} is not a map`),
  mixedTypes: (lists: readonly (readonly Json[])[]): ApiError =>
    unclassified(`list element types are not identical: ${goText(lists.map((list) => [...list]))}`),
  noElements: (): ApiError => unclassified('no elements in any of the given slices'),
  noKeyForList: (kind: string): ApiError => unclassified(`cannot merge lists without merge key for ${kind}`),
  order: (patch: readonly Json[], order: readonly Json[]): ApiError =>
    unclassified(
      `The order in patch list:\n${goText([...patch])}\n doesn't match $setElementOrder list:\n${goText([...order])}\n`,
    ),
  noField: (struct: string, key: string): ApiError =>
    unclassified(`unable to find api field in struct ${struct} for the json field ${JSON.stringify(key)}`),
  noStruct: (kind: string): ApiError =>
    unclassified(`merging an object in json but data type is not struct, instead is: ${kind}`),
  noList: (kind: string): ApiError => unclassified(`expected slice or array type, but got: ${kind}`),
};
