import { Ajv, type AnySchemaObject, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { goJson } from '../go-json/index.ts';
import { GoMap, typeName } from '../go-template/go-value.ts';
import { RenderError } from '../render-error.ts';
import { toPlain } from '../sprig/plain.ts';
import { messageOf } from '../util/errors.ts';
import { isRecord } from '../util/guards.ts';
import { dropOldest } from '../util/oldest.ts';
import type { Chart } from './chart.ts';
import { dialectOf, prepared } from './schema-dialect.ts';

/** Validates the values of a chart and its dependencies against their schemas. Throws all violations with Helm's messages. */
export function checkSchemas(chart: Chart, values: GoMap): void {
  const problems = problemsOf(chart, values);
  if (problems === '') return;
  throw new RenderError(
    'InvalidValues',
    `values don't meet the specifications of the schema(s) in the following chart(s):\n${problems}`,
  );
}

function problemsOf(chart: Chart, values: GoMap): string {
  const { name } = chart.metadata;
  const own = chart.schema ? violations(name, chart.schema, values) : [];
  let text = own.length === 0 ? '' : `${name}:\n${own.join('\n')}\n`;
  for (const dependency of chart.dependencies) {
    const inner = values.get(dependency.metadata.name);
    if (inner instanceof GoMap) text += problemsOf(dependency, inner);
    else if (inner !== undefined && inner !== null)
      text += `${dependency.metadata.name}:\ninvalid type for values: expected object (map), got ${typeName(inner)}\n`;
  }
  return text;
}

function violations(chart: string, schema: Uint8Array, values: GoMap): string[] {
  const validate = compiled(chart, Buffer.from(schema).toString('utf8'));
  if (validate(JSON.parse(goJson(toPlain(values))))) return [];
  const errors = validate.errors ?? [];
  const leaves = errors.filter(isLeaf);
  const shown = leaves.length > 0 ? leaves : errors;
  return [...new Set(shown.map((error) => `- at '${error.instancePath}': ${explain(error)}`))];
}

const cache = new Map<string, ValidateFunction>();
const maxCached = 50;

function compiled(chart: string, text: string): ValidateFunction {
  const known = cache.get(text);
  if (known) return known;
  let validate: ValidateFunction;
  try {
    const schema: AnySchemaObject = JSON.parse(text);
    validate = compile(schema);
  } catch (error) {
    throw new RenderError('InvalidChart', `${chart}: values.schema.json cannot be used: ${messageOf(error)}`);
  }
  if (cache.size >= maxCached) dropOldest(cache);
  cache.set(text, validate);
  return validate;
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

/** Up to draft 7, keywords next to a reference are ignored, but references may point into them. */
const upToDraft07 = { ...options, ignoreKeywordsWithRef: true };

function compile(schema: AnySchemaObject): ValidateFunction {
  const dialect = dialectOf(schema);
  const body = prepared(schema, dialect);
  switch (dialect) {
    case '2020-12':
      return new Ajv2020(options).compile(body);
    case '2019-09':
      return new Ajv2019(options).compile(body);
    default:
      return new Ajv(upToDraft07).compile(body);
  }
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
const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

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
    case 'false schema':
      return 'false schema';
    default:
      return error.message ?? `${keyword} failed`;
  }
}
