import { goJson, goPrettyJson, goRawJson, JsonError } from '../go-json/index.ts';
import { fn } from '../go-template/function.ts';
import { GoError, type GoFunction, type GoValue } from '../go-template/go-value.ts';
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
  } catch (error) {
    throw new GoError(jsonMessage((error as Error).message));
  }
  return wellFormed(fromPlain(value));
}

function wellFormed(value: GoValue): GoValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  return value;
}

/** The usual complaints in Go's words. */
function jsonMessage(message: string): string {
  if (/end of JSON input|Unterminated string/i.test(message)) return 'unexpected end of JSON input';
  const after = /^Unexpected non-whitespace character after JSON/.test(message);
  const token = /^Unexpected token '?(.)'?/u.exec(message)?.[1];
  if (token) return `invalid character '${token}' looking for beginning of value`;
  return after ? 'invalid character after top-level value' : message;
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
