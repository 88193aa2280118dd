import {
  equalJson,
  type FieldError,
  fieldError,
  isObject,
  type Json,
  type JsonObject,
  own,
  type Structural,
} from '@fairlead/apimachinery';
import type { Correlation } from './correlation.ts';
import { type Finding, invalid, isInteger, named, overall } from './finding.ts';
import { stringFormat } from './formats.ts';
import { numberFindings } from './number-findings.ts';
import { compilePattern, PatternTooCostly } from './patterns.ts';

/** The findings, and the number of passed checks: of several alternatives the closest match is reported. */
interface Result {
  readonly findings: Finding[];
  passed: number;
}

/**
 * Validates a value against an OpenAPI schema with the checks, order and messages of kube-apiserver. `at` is the path of the value
 * (`status`), or empty for a whole object. With `correlation`, unchanged invalid values are accepted.
 */
export function validateValue(value: Json, schema: Structural, at: string, correlation?: Correlation): FieldError[] {
  return check(value, schema, '', correlation).findings.map((finding) => finding.error(fieldAt(at, finding.path)));
}

function fieldAt(at: string, path: string | undefined): string {
  const own = (path ?? '').replace(/^\./, '');
  if (own === '') return at === '' ? '<nil>' : at;
  return at === '' ? own : `${at}.${own}`;
}

function check(value: Json, schema: Structural, path: string, correlation: Correlation | undefined): Result {
  const result = checkContents(value, schema, path, correlation);
  return result.findings.length > 0 && correlation?.isUnchanged() ? { findings: [], passed: result.passed } : result;
}

function checkContents(value: Json, schema: Structural, path: string, correlation: Correlation | undefined): Result {
  const result: Result = { findings: [], passed: 0 };
  const merge = (other: Result) => add(result, other);
  if (value === null) {
    merge(checkType(value, schema, path));
    merge(checkEnum(value, schema, path));
    return result;
  }
  const run = (other: Result) => {
    merge(other);
    result.passed++;
  };
  if (typesOf(schema).length > 0 || formatOf(schema) !== '') run(checkType(value, schema, path));
  run(checkCombinations(value, schema, path, correlation));
  if (typeof value === 'string') {
    run(checkString(value, schema, path));
    if (stringFormat(formatOf(schema))) run(checkFormat(value, schema, path));
  } else if (typeof value === 'number') {
    const findings = numberFindings(value, schema, path);
    run({ findings, passed: 1 });
  } else if (Array.isArray(value)) run(checkList(value, schema, path, correlation));
  run(checkEnum(value, schema, path));
  if (isObject(value)) run(checkObject(value, schema, path, correlation));
  result.passed++;
  return result;
}

function add(result: Result, other: Result): void {
  for (const finding of other.findings) {
    if (!result.findings.some((known) => known.text === finding.text)) result.findings.push(finding);
  }
  result.passed += other.passed;
}

const failed = (...findings: Finding[]): Result => ({ findings, passed: 0 });
const passed = (count = 0): Result => ({ findings: [], passed: count });

const typesOf = (schema: Structural): readonly string[] =>
  schema.intOrString ? ['integer', 'string'] : schema.type === '' ? [] : [schema.type];

/** A format that is not supported for the type is ignored. */
function formatOf(schema: Structural): string {
  const { format } = schema;
  if (schema.intOrString || schema.type === '' || schema.type === 'string') return stringFormat(format) ? format : '';
  if (schema.type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (schema.type === 'number') return format === 'float' || format === 'double' ? format : '';
  return '';
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function checkType(value: Json, schema: Structural, path: string): Result {
  const types = typesOf(schema);
  const actual = typeOf(value);
  const wrong = (expected: string) =>
    failed({
      path,
      text: `${named(path)} must be of type ${expected}: ${JSON.stringify(actual)}`,
      error: (field) =>
        fieldError.typeInvalid(field, actual, `${named(path)} must be of type ${expected}: ${JSON.stringify(actual)}`),
    });
  if (value === null) return types.length > 0 && !schema.nullable ? wrong(types.join(',')) : passed(1);
  const fits = types.includes(actual) || (actual === 'integer' && types.includes('number'));
  const format = formatOf(schema);
  const isText = typeof value === 'string' || Array.isArray(value);
  if (!isText && format !== '' && !fits) return wrong(format);
  // A format of a string is validated as such, and replaces the check of the type.
  if (isText && format !== '' && !types.includes('number') && !types.includes('integer')) return passed(1);
  return fits || types.length === 0 ? passed(1) : wrong(types.join(','));
}

function checkEnum(value: Json, schema: Structural, path: string): Result {
  const allowed = schema.enum;
  if (
    !allowed ||
    allowed.length === 0 ||
    allowed.some((candidate) => candidate !== null && equalJson(candidate, value))
  )
    return passed();
  const values = allowed.map((candidate) => (typeof candidate === 'string' ? candidate : JSON.stringify(candidate)));
  return failed({
    path,
    text: `${named(path)} should be one of [${values.join(' ')}]`,
    error: (field) => fieldError.notSupportedInOrder(field, value, values),
  });
}

function checkString(value: string, schema: Structural, path: string): Result {
  const { maxLength, minLength, pattern } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength)
    return failed({
      path,
      text: `${named(path)} should be at most ${maxLength} chars long`,
      error: (field) => fieldError.tooLong(field, maxLength),
    });
  if (minLength !== undefined && length < minLength)
    return failed(invalid(path, value, `${named(path)} should be at least ${minLength} chars long`));
  return pattern !== '' ? checkPattern(value, pattern, path) : passed();
}

function checkPattern(value: string, source: string, path: string): Result {
  const pattern = compilePattern(source);
  if (pattern instanceof Error)
    return failed(
      invalid(path, value, `${named(path)} should match '${source}, but pattern is invalid: ${pattern.message}'`),
    );
  try {
    return pattern.test(value) ? passed() : failed(invalid(path, value, `${named(path)} should match '${source}'`));
  } catch (error) {
    if (!(error instanceof PatternTooCostly)) throw error;
    return failed(invalid(path, `${value.slice(0, 40)}…`, `${named(path)} is too long for the pattern '${source}'`));
  }
}

function checkFormat(value: string, schema: Structural, path: string): Result {
  const format = formatOf(schema);
  if (stringFormat(format)?.(value)) return passed();
  const text = `${named(path)} must be of type ${format}: ${JSON.stringify(value)}`;
  return failed({ path, text, error: (field) => fieldError.typeInvalid(field, value, text) });
}

function checkList(value: Json[], schema: Structural, path: string, correlation: Correlation | undefined): Result {
  const result = passed();
  for (const [index, item] of value.entries()) {
    if (schema.items) add(result, check(item, schema.items, `${path}[${index}]`, correlation?.index(index)));
  }
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && value.length < minItems)
    add(result, failed(invalid(path, value.length, `${named(path)} should have at least ${minItems} items`)));
  if (maxItems !== undefined && value.length > maxItems)
    add(
      result,
      failed({
        path,
        text: `${named(path)} should have at most ${maxItems} items`,
        error: (field) => fieldError.tooMany(field, value.length, maxItems),
      }),
    );
  result.passed++;
  return result;
}

function checkObject(
  value: JsonObject,
  schema: Structural,
  path: string,
  correlation: Correlation | undefined,
): Result {
  const result = passed();
  const size = Object.keys(value).length;
  const { minProperties, maxProperties, additional } = schema;
  if (minProperties !== undefined && size < minProperties)
    add(result, failed(invalid(path, size, `${named(path)} should have at least ${minProperties} properties`)));
  if (maxProperties !== undefined && size > maxProperties)
    add(
      result,
      failed({
        path,
        text: `${named(path)} should have at most ${maxProperties} properties`,
        error: (field) => fieldError.tooMany(field, size, maxProperties),
      }),
    );
  // The type and version of the root cannot be ratcheted: both objects have the same one.
  const childOf = (key: string) =>
    path === '' && (key === 'apiVersion' || key === 'kind') ? undefined : correlation?.key(key);
  for (const [key, field] of Object.entries(value)) {
    if (schema.properties.has(key)) continue;
    if (additional === false) add(result, failed(invalid(path, key, `${path}.${key} in body is a forbidden property`)));
    else if (typeof additional === 'object') add(result, check(field, additional, `${path}.${key}`, childOf(key)));
  }
  for (const [key, property] of schema.properties) {
    const field = own(value, key);
    if (field === undefined) continue;
    add(result, check(field, property, path === '' ? key : `${path}.${key}`, childOf(key)));
  }
  for (const key of schema.required) {
    if (Object.hasOwn(value, key)) continue;
    const at = `${path}.${key}`;
    add(result, failed({ path: at, text: `${named(at)} is required`, error: (field) => fieldError.required(field) }));
  }
  return result;
}

function checkCombinations(
  value: Json,
  schema: Structural,
  path: string,
  correlation: Correlation | undefined,
): Result {
  const result = passed();
  const quoted = JSON.stringify(path);
  const each = (schemas: readonly Structural[]) => schemas.map((s) => checkContents(value, s, path, correlation));
  const isValid = (r: Result) => r.findings.length === 0;

  if (schema.anyOf.length > 0) {
    const results = each(schema.anyOf);
    const valid = results.find(isValid);
    if (!valid) add(result, failed(overall(`${quoted} must validate at least one schema (anyOf)`)));
    add(result, valid ?? furthest(results));
  }
  if (schema.oneOf.length > 0) {
    const results = each(schema.oneOf);
    const valid = results.filter(isValid);
    const [only] = valid;
    if (only && valid.length === 1) add(result, only);
    else {
      const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
      add(result, failed(overall(`${quoted} must validate one and only one schema (oneOf). ${found}`)));
      if (valid.length === 0) add(result, furthest(results));
    }
  }
  if (schema.allOf.length > 0) {
    const results = each(schema.allOf);
    for (const one of results) add(result, one);
    if (!results.every(isValid)) {
      const none = results.some(isValid) ? '' : '. None validated';
      add(result, failed(overall(`${quoted} must validate all the schemas (allOf)${none}`)));
    }
  }
  if (schema.not && isValid(checkContents(value, schema.not, path, correlation)))
    add(result, failed(overall(`${quoted} must not validate the schema (not)`)));
  result.passed++;
  return result;
}

/** The first of those with the most passed checks. */
const furthest = (results: readonly Result[]): Result =>
  results.reduce((best, result) => (result.passed > best.passed ? result : best));
