import { closest } from '@fairlead/apimachinery';
import type { StructuralSchema } from './schema.ts';

/** One problem of one field: the path, and a sentence with the remedy. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  /** The schema has no such field; a newer one may. */
  readonly unknown?: true;
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
const article = (type: string): string => (/^[aio]/.test(type) ? `an ${type}` : `a ${type}`);

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const fits = (expected: string, actual: string): boolean =>
  expected === actual || (expected === 'number' && actual === 'integer');

/**
 * The reasons why `value` does not match `schema`; empty if it is valid. Unknown fields are reported too: a misspelt field that is silently
 * dropped is hard to find.
 */
export function validate(schema: StructuralSchema, value: unknown, path = ''): FieldProblem[] {
  return [...problems(schema, value, path)];
}

/** The first of them, without looking for others: a large value can have very many. */
export function firstProblem(schema: StructuralSchema, value: unknown): FieldProblem | undefined {
  for (const problem of problems(schema, value, '')) return problem;
  return undefined;
}

function* problems(schema: StructuralSchema, value: unknown, field: string): Iterable<FieldProblem> {
  if (value === null && schema.nullable) return;
  const wrongType = typeProblem(schema, typeName(value));
  if (wrongType) {
    yield { field: field === '' ? '(the object)' : field, message: wrongType };
    return;
  }
  if (schema.enum && !schema.enum.includes(value as never)) {
    const choices = schema.enum.map((choice) => JSON.stringify(choice)).join(', ');
    yield { field, message: `must be one of ${choices}, not ${JSON.stringify(value)}` };
  }
  if (typeof value === 'string') for (const message of stringProblems(schema, value)) yield { field, message };
  if (typeof value === 'number') for (const message of numberProblems(schema, value)) yield { field, message };
  if (Array.isArray(value)) yield* listProblems(schema, value, field);
  else if (typeof value === 'object' && value !== null) yield* fieldProblems(schema, { ...value }, field);
}

function typeProblem(schema: StructuralSchema, actual: string): string | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    return actual === 'integer' || actual === 'string' ? undefined : `must be an integer or a string, not ${actual}`;
  }
  if (!schema.type || fits(schema.type, actual)) return undefined;
  const hint = schema.type === 'string' && /integer|number|boolean/.test(actual) ? ': put it in quotes' : '';
  return `must be ${article(schema.type)}, not ${actual}${hint}`;
}

function* listProblems(schema: StructuralSchema, value: readonly unknown[], field: string): Iterable<FieldProblem> {
  const { minItems = 0, maxItems = Infinity, items } = schema;
  if (value.length < minItems) yield { field, message: `must have at least ${minItems} items` };
  if (value.length > maxItems) yield { field, message: `must have at most ${maxItems} items` };
  if (items) for (const [i, item] of value.entries()) yield* problems(items, item, `${field}[${i}]`);
}

function* fieldProblems(schema: StructuralSchema, value: Record<string, unknown>, at: string): Iterable<FieldProblem> {
  for (const name of schema.required ?? []) {
    if (value[name] !== undefined) continue;
    const what = schema.properties?.[name]?.description;
    yield { field: join(at, name), message: `is required: add it${what ? ` (${what})` : ''}` };
  }
  for (const [name, child] of Object.entries(value)) {
    if (child === undefined) continue;
    const known = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (known) yield* problems(known, child, join(at, name));
    else if (schema.additionalProperties) {
      yield* problems(schema.additionalProperties, child, `${at}[${JSON.stringify(name)}]`);
    } else if (schema.properties && !schema['x-kubernetes-preserve-unknown-fields']) {
      yield { field: join(at, name), message: unknownField(name, Object.keys(schema.properties)), unknown: true };
    }
  }
}

function* numberProblems(
  { minimum = -Infinity, maximum = Infinity }: StructuralSchema,
  value: number,
): Iterable<string> {
  if (value < minimum) yield `must be at least ${minimum}, not ${value}`;
  if (value > maximum) yield `must be at most ${maximum}, not ${value}`;
}

function* stringProblems(schema: StructuralSchema, value: string): Iterable<string> {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  if (value.length < minLength)
    yield minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
  if (value.length > maxLength) yield `must have at most ${maxLength} characters, not ${value.length}`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    yield `must match ${pattern}, and ${JSON.stringify(value)} does not`;
  }
  if (format === 'date-time' && Number.isNaN(Date.parse(value))) {
    yield `must be a time such as 2024-05-01T12:00:00Z, not ${JSON.stringify(value)}`;
  }
}

function unknownField(name: string, known: readonly string[]): string {
  const near = known.find((candidate) => candidate.toLowerCase() === name.toLowerCase()) ?? closest(name, known);
  return near ? `is unknown: did you mean ${near}?` : 'is unknown: remove it';
}
