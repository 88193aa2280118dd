import { getOrCreate } from '@fairlead/apimachinery/primitives';
import { Ajv, type AnySchemaObject, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { goJson } from '../go-json/index.ts';
import type { GoMap } from '../go-template/go-value.ts';
import { quote } from '../go-yaml/go-syntax.ts';
import { jsonSyntaxError } from '../sprig/json-syntax.ts';
import { toPlain } from '../sprig/plain.ts';
import { messageOf } from '../util/errors.ts';
import { isRecord } from '../util/guards.ts';
import { dropOldest } from '../util/oldest.ts';
import { type Dialect, dialectOf, prepared } from './schema-dialect.ts';
import { schemaFormats } from './schema-formats.ts';

/** How values violate a schema, as Helm reports it. */
export function violations(schema: Uint8Array, values: GoMap): string[] {
  const { validate, problem } = compiled(Buffer.from(schema).toString('utf8'));
  if (!validate) return [problem];
  return validate(JSON.parse(goJson(toPlain(values)))) ? [] : linesOf(validate.errors ?? []);
}

function linesOf(errors: readonly ErrorObject[]): string[] {
  const leaves = errors.filter(isLeaf);
  const shown = leaves.length > 0 ? leaves : errors;
  return [...new Set(shown.map((error) => `- at '${error.instancePath}': ${explain(error)}`))];
}

/** A compiled schema, or why it is invalid. */
type Compiled =
  | { readonly validate: ValidateFunction; readonly problem?: undefined }
  | { readonly validate?: undefined; readonly problem: string };

const cache = new Map<string, Compiled>();
const maxCached = 50;

function compiled(text: string): Compiled {
  const known = cache.get(text);
  if (known) return known;
  const result = compileText(text);
  if (cache.size >= maxCached) dropOldest(cache);
  cache.set(text, result);
  return result;
}

function compileText(text: string): Compiled {
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch {
    return { problem: jsonSyntaxError(text).message };
  }
  if (typeof schema === 'boolean') return { validate: new Ajv2020(options).compile(schema) };
  const problem = isRecord(schema) ? metaschemaProblem(schema) : undefined;
  if (problem !== undefined) return { problem };
  try {
    return { validate: compile(isRecord(schema) ? schema : {}) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Patterns are RE2, as in Helm, so that none can hang the render. */
const regExp = Object.assign(
  (pattern: string) => {
    const regex = RE2JS.compile(pattern);
    // ajv distinguishes patterns by toString().
    return { test: (text: string) => regex.matcher(text).find(), toString: () => pattern };
  },
  { code: 'RE2JS' },
);

const options = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  validateSchema: false,
  verbose: true,
  logger: false,
  code: { regExp },
} as unknown as Options;

const formats = Object.fromEntries(
  Object.entries(schemaFormats).map(([name, check]) => [name, (text: string) => check(text) === undefined]),
);

/** Up to draft 7, formats are checked, and keywords next to a reference are ignored, but references may point into them. */
const upToDraft07 = { ...options, validateFormats: true, formats, ignoreKeywordsWithRef: true };

const validatorFor = (dialect: Dialect): Ajv | Ajv2019 | Ajv2020 => {
  if (dialect === '2020-12') return new Ajv2020(options);
  return dialect === '2019-09' ? new Ajv2019(options) : new Ajv(upToDraft07);
};

function compile(schema: AnySchemaObject): ValidateFunction {
  const dialect = dialectOf(schema);
  return validatorFor(dialect).compile(prepared(schema, dialect));
}

const metaschemas: Record<Dialect, string> = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema#',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema#',
};

/** One validator for all schemas of a dialect: compiling a metaschema takes longer than checking a schema. */
const checkers = new Map<Dialect, Ajv | Ajv2019 | Ajv2020>();

/** The problem of a schema by the metaschema of its dialect. Older drafts are validated in the form of draft 7. */
function metaschemaProblem(schema: AnySchemaObject): string | undefined {
  const dialect = dialectOf(schema);
  const checker = getOrCreate(checkers, dialect, () => validatorFor(dialect));
  const { $schema: _, ...body } = prepared(schema, dialect);
  if (checker.validateSchema(body)) return undefined;
  const lines = linesOf(checker.errors ?? []).join('\n');
  return `"file:///values.schema.json#" is not valid against metaschema: jsonschema validation failed with '${metaschemas[dialect]}'\n${lines}`;
}

/** Whether the error is not only the summary of a nested error. */
const isLeaf = ({ keyword, params }: ErrorObject): boolean =>
  !['if', 'anyOf', 'oneOf', 'allOf'].includes(keyword) || Array.isArray(params['passingSchemas']);

const typeNames = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'object' : typeof value;
};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const quoted = (value: unknown): string =>
  typeof value === 'string'
    ? `'${quote(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);

/** The message of the validator that Helm uses. */
function explain(error: ErrorObject): string {
  const { keyword, data } = error;
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (keyword) {
    case 'type': {
      const expected = Array.isArray(params['type']) ? params['type'].join(' or ') : String(params['type']);
      return `got ${typeNames(data)}, want ${expected}`;
    }
    case 'required':
      return `missing property '${params['missingProperty']}'`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `additional properties '${params['additionalProperty'] ?? params['unevaluatedProperty']}' not allowed`;
    case 'enum':
      return `value must be one of ${listOf(params['allowedValues']).map(quoted).join(', ')}`;
    case 'const':
      return `value must be ${quoted(params['allowedValue'])}`;
    case 'pattern':
      return `${quoted(data)} does not match pattern ${quoted(params['pattern'])}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${keyword}: got ${data}, want ${params['limit']}`;
    case 'minLength':
    case 'maxLength':
      return `${keyword}: got ${[...String(data)].length}, want ${params['limit']}`;
    case 'minItems':
    case 'maxItems':
      return `${keyword}: got ${listOf(data).length}, want ${params['limit']}`;
    case 'minProperties':
    case 'maxProperties':
      return `${keyword}: got ${Object.keys(isRecord(data) ? data : {}).length}, want ${params['limit']}`;
    case 'not':
      return "'not' failed";
    case 'oneOf': {
      const matched = listOf(params['passingSchemas']);
      return `'oneOf' failed, ${matched.length === 0 ? 'none' : `subschemas ${matched.join(', ')}`} matched`;
    }
    case 'format':
      return `${quoted(data)} is not valid ${params['format']}: ${schemaFormats[String(params['format'])]?.(String(data))}`;
    case 'multipleOf':
      return `multipleOf: got ${data}, want ${params['multipleOf']}`;
    case 'uniqueItems':
      return `items at ${params['j']} and ${params['i']} are equal`;
    case 'false schema':
      return 'false schema';
    default:
      return error.message ?? `${keyword} failed`;
  }
}
