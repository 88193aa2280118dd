import { type Json, type JsonObject, toJson } from '@fairlead/apimachinery';
import {
  byteSliceType,
  GoInt,
  GoMap,
  GoSlice,
  type GoValue,
  int64,
  mapOf,
  uint8Type,
} from '@fairlead/render/go-template';

/** A Kubernetes object as expressions and templates see it: whole numbers are integers. */
export function goValueOf(value: Json): GoValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? int64(value) : value;
  if (Array.isArray(value)) return value.map(goValueOf);
  return typeof value === 'object' && value !== null ? goObjectOf(value) : value;
}

export const goObjectOf = (value: JsonObject): GoMap =>
  new GoMap(Object.entries(value).map(([key, item]): [string, GoValue] => [key, goValueOf(item)]));

/** Any object, such as one of a client. */
export const goMapOf = (object: unknown): GoMap => {
  const value = goValueOf(toJson(object));
  return value instanceof GoMap ? value : new GoMap();
};

/** The data of a Secret: bytes. */
export const secretsValue = (secrets: ReadonlyMap<string, Buffer>): GoMap =>
  new GoMap(
    [...secrets].map(([key, bytes]): [string, GoValue] => [
      key,
      new GoSlice(
        [...bytes].map((byte) => new GoInt(BigInt(byte), uint8Type)),
        byteSliceType,
      ),
    ]),
    mapOf(byteSliceType),
  );
