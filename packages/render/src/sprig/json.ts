import { goJson, goPrettyJson, goRawJson, JsonError } from '../go-json/index.ts';
import { fn } from '../go-template/function.ts';
import { GoError, type GoFunction, type GoValue } from '../go-template/go-value.ts';
import { jsonSyntaxError, overflowingNumber } from './json-syntax.ts';
import { fromPlain, toPlain } from './plain.ts';

function written(value: GoValue, write: (plain: unknown) => string): string {
  try {
    return write(toPlain(value));
  } catch (error) {
    throw error instanceof JsonError ? new GoError(error.message) : error;
  }
}

const orEmpty = (write: (plain: unknown) => string): GoFunction =>
  fn('any', (value: GoValue) => {
    try {
      return written(value, write);
    } catch (error) {
      if (error instanceof GoError) return '';
      throw error;
    }
  });
const orFail = (write: (plain: unknown) => string): GoFunction => fn('any', (value: GoValue) => written(value, write));

/** JSON as Go's encoding/json reads it into `any`. */
export function readJson(text: string): GoValue {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw jsonSyntaxError(text);
  }
  const overflow = overflowingNumber(text);
  if (overflow) throw new GoError(`json: cannot unmarshal number ${overflow} into Go value of type float64`);
  return wellFormed(fromPlain(value));
}

function wellFormed(value: GoValue): GoValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  return value;
}

export const jsonFunctions: Readonly<Record<string, GoFunction>> = {
  toJson: orEmpty(goJson),
  mustToJson: orFail(goJson),
  toPrettyJson: orEmpty(goPrettyJson),
  mustToPrettyJson: orFail(goPrettyJson),
  toRawJson: orFail(goRawJson),
  mustToRawJson: orFail(goRawJson),
  fromJson: fn('string', (text: string) => {
    try {
      return readJson(text);
    } catch (error) {
      if (error instanceof GoError) return null;
      throw error;
    }
  }),
  mustFromJson: fn('string', readJson),
};
