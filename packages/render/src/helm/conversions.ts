import { goJson, JsonError } from '../go-json/index.ts';
import { fn } from '../go-template/function.ts';
import { GoError, type GoFunction, GoMap, type GoValue, itemsOf, typeOf } from '../go-template/go-value.ts';
import { readYaml, writeYaml, writeYamlPretty, YamlError } from '../go-yaml/index.ts';
import { readJson } from '../sprig/json.ts';
import { fromPlain, toPlain } from '../sprig/plain.ts';
import { readToml, writeToml } from './toml.ts';

/** Runs a conversion, and turns its errors into errors of the template. */
function orGoError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof YamlError || error instanceof JsonError ? new GoError(error.message) : error;
  }
}

function orElse<T>(work: () => T, otherwise: (message: string) => T): T {
  try {
    return orGoError(work);
  } catch (error) {
    if (error instanceof GoError) return otherwise(error.message);
    throw error;
  }
}

const withoutLastBreak = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text);
const yaml = (value: GoValue): string => withoutLastBreak(writeYaml(toPlain(value)));
const swallowing = (write: (value: GoValue) => string): GoFunction =>
  fn('any', (value: GoValue) =>
    orElse(
      () => write(value),
      () => '',
    ),
  );
const failing = (write: (value: GoValue) => string): GoFunction =>
  fn('any', (value: GoValue) => orGoError(() => write(value)));

const mismatch = (value: GoValue, expected: string): GoError => {
  const kind =
    value instanceof GoMap
      ? 'object'
      : itemsOf(value)
        ? 'array'
        : typeOf(value)?.kind === 'float64'
          ? 'number'
          : (typeOf(value)?.kind ?? 'null');
  return new GoError(`json: cannot unmarshal ${kind} into Go value of type ${expected}`);
};

/** The value if it is a map; empty text gives an empty map. */
function asMap(value: GoValue, what: string): GoMap {
  if (value instanceof GoMap) return value;
  if (value === null || value === undefined) return new GoMap();
  throw new GoError(`${what}${mismatch(value, 'map[string]interface {}').message}`);
}

function asList(value: GoValue, nothing: GoValue, what: string): GoValue {
  if (itemsOf(value)) return value;
  if (value === null || value === undefined) return nothing;
  throw new GoError(`${what}${mismatch(value, '[]interface {}').message}`);
}

const errorMap = (message: string): GoMap => new GoMap([['Error', message]]);
const fromYamlText = (text: string): GoValue => fromPlain(readYaml(text));
const unmarshal = 'error unmarshaling JSON: while decoding JSON: ';

/** Helm's YAML, JSON and TOML functions. Text that does not parse gives a map with `Error`. */
export const conversionFunctions = (nilList: () => GoValue): Readonly<Record<string, GoFunction>> => ({
  toYaml: swallowing(yaml),
  mustToYaml: failing(yaml),
  toYamlPretty: swallowing((value) => withoutLastBreak(writeYamlPretty(toPlain(value)))),
  fromYaml: fn('string', (text: string) => orElse(() => asMap(fromYamlText(text), unmarshal), errorMap)),
  fromYamlArray: fn('string', (text: string) =>
    orElse(
      () => asList(fromYamlText(text), [], unmarshal),
      (message) => [message],
    ),
  ),
  toJson: swallowing((value) => goJson(toPlain(value))),
  mustToJson: failing((value) => goJson(toPlain(value))),
  fromJson: fn('string', (text: string) => orElse(() => asMap(readJson(text), ''), errorMap)),
  fromJsonArray: fn('string', (text: string) =>
    orElse(
      () => asList(readJson(text), nilList(), ''),
      (message) => [message],
    ),
  ),
  toToml: fn('any', (value: GoValue) =>
    orElse(
      () => writeToml(value),
      (message) => message,
    ),
  ),
  mustToToml: failing(writeToml),
  fromToml: fn('string', (text: string) => orElse(() => readToml(text), errorMap)),
});
