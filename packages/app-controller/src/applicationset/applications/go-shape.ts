import { type ApplicationSpec, applicationTypes, buildTypes, type Operation } from '@fairlead/api';
import { decodeTyped, isJsonObject, type JsonObject, type ObjectSchema, toJson } from '@fairlead/apimachinery';

const types = buildTypes({ v1alpha1: applicationTypes });

/** The type of Applications as Go knows it. */
export const applicationType = (): ObjectSchema => types('v1alpha1.Application');

/** What decoding gives is of the type that it was given. */
const isSpec = (value: unknown): value is ApplicationSpec => isJsonObject(value);
const isOperation = (value: unknown): value is Operation => isJsonObject(value);

const decoded = (value: unknown, type: string): JsonObject => {
  const json = toJson(value);
  return decodeTyped(typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {}, types(type)).object;
};

/** The spec as a Go program would write it: fields that are always there are, zero values are not. Throws a TypeMismatch. */
export const goSpec = (spec: unknown): ApplicationSpec => {
  const result: unknown = decoded(spec, 'v1alpha1.ApplicationSpec');
  if (!isSpec(result)) throw new TypeError('the spec of an Application is not an object');
  return result;
};

export const goOperation = (operation: unknown): Operation => {
  const result: unknown = decoded(operation, 'v1alpha1.Operation');
  if (!isOperation(result)) throw new TypeError('the operation of an Application is not an object');
  return result;
};
