import {
  type FieldError,
  fieldError,
  type JsonSchema,
  must,
  type Structural,
  structural,
  type ValidationRule,
} from '@fairlead/apimachinery';
import { CostBudget } from './cost-budget.ts';
import { estimateCost } from './estimate.ts';
import { type Extent, extentOf, mostTimes } from './extent.ts';
import { parse } from './parse.ts';
import { compileRule } from './rule.ts';
import { typeOfSchema } from './schema-values.ts';

/** Compiles every rule of a schema and reports its problems, unless the schema around it is already invalid. */
export function validateSchemaRules(
  schema: JsonSchema,
  path: string,
  schemaErrors: readonly FieldError[],
  checksCost: boolean,
): FieldError[] {
  const budget = checksCost ? new CostBudget() : undefined;
  const location = { path, isResource: true, uncorrelated: undefined, times: 1 };
  const errors = visit(schema, structural(schema), location, { schemaErrors, budget });
  return [...errors, ...(budget?.overrun(path) ?? [])];
}

interface Context {
  readonly schemaErrors: readonly FieldError[];
  /** Absent if the schema was accepted before. */
  readonly budget: CostBudget | undefined;
}

interface SchemaLocation {
  readonly path: string;
  readonly isResource: boolean;
  /** The parent list whose items cannot be correlated between updates: there is no `oldSelf` within. */
  readonly uncorrelated: string | undefined;
  /** How often a value can occur here in one object; undefined if nothing above bounds it. */
  readonly times: number | undefined;
}

function visit(schema: JsonSchema, compiled: Structural, location: SchemaLocation, context: Context): FieldError[] {
  const errors: FieldError[] = [];
  const { path } = location;
  const { additionalProperties: additional, items } = schema;
  const timesBelow = multiplied(location.times, elementsOf(compiled));
  const below = (child: JsonSchema, own: Structural, at: string, uncorrelated = location.uncorrelated) =>
    errors.push(...visit(child, own, { path: at, isResource: own.embedded, uncorrelated, times: timesBelow }, context));
  if (typeof additional === 'object' && typeof compiled.additional === 'object')
    below(additional, compiled.additional, `${path}.additionalProperties`);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const own = must(compiled.properties.get(name), `the compiled schema of ${name}`);
    below(property, own, `${path}.properties[${name}]`);
  }
  if (items && !Array.isArray(items) && compiled.items)
    below(
      items,
      compiled.items,
      `${path}.items`,
      location.uncorrelated ?? (compiled.listType === 'map' ? undefined : path),
    );
  if (compiled.rules.length > 0 && !context.schemaErrors.some((error) => error.field.startsWith(path)))
    errors.push(...validateRules(compiled, location, context.budget));
  return errors;
}

function validateRules(schema: Structural, location: SchemaLocation, budget: CostBudget | undefined): FieldError[] {
  const type = typeOfSchema(schema, location.isResource);
  const base = `${location.path}.x-kubernetes-validations`;
  if (!type)
    return [
      fieldError.internal(base, 'internal error: failed to retrieve type information for x-kubernetes-validations'),
    ];
  return schema.rules.flatMap((source, index) => {
    const at = (field: string) => `${base}[${index}].${field}`;
    const rule = compileRule(source, type, schema);
    const errors: FieldError[] = [];
    if (budget && rule.test) errors.push(...spend(budget, source, schema, location, at));
    if (rule.problem) errors.push(fieldError.invalid(at('rule'), goRule(source), rule.problem));
    if (rule.messageProblem)
      errors.push(fieldError.invalid(at('messageExpression'), goRule(source), rule.messageProblem));
    if (rule.usesOldSelf && location.uncorrelated !== undefined)
      errors.push(
        fieldError.invalid(
          at('rule'),
          source.rule,
          `oldSelf cannot be used on the uncorrelatable portion of the schema within ${location.uncorrelated}`,
        ),
      );
    if (
      !rule.usesOldSelf &&
      !rule.unsupported &&
      !rule.problem &&
      source.optionalOldSelf !== undefined &&
      source.optionalOldSelf !== null
    )
      errors.push(
        fieldError.invalid(
          at('optionalOldSelf'),
          source.optionalOldSelf,
          'may not be set if oldSelf is not used in rule',
        ),
      );
    return errors;
  });
}

/** The maximum number of nested values; undefined if it is not bounded. */
function elementsOf(schema: Structural): number | undefined {
  if (schema.type === 'array') return schema.maxItems;
  return typeof schema.additional === 'object' ? schema.maxProperties : 1;
}

const multiplied = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? undefined : left * right;

function spend(
  budget: CostBudget,
  source: ValidationRule,
  schema: Structural,
  location: SchemaLocation,
  at: (field: string) => string,
): FieldError[] {
  const self: Extent = extentOf(schema);
  const times = location.times ?? mostTimes(schema);
  const cost = (expression: string): number => estimateCost(parse(expression), { self, oldSelf: self }) * times;
  const { rule, messageExpression } = source;
  return [
    ...budget.spend(at('rule'), 'estimated rule cost', cost(rule)),
    ...(messageExpression
      ? budget.spend(at('messageExpression'), 'estimated messageExpression cost', cost(messageExpression))
      : []),
  ];
}

/** A rule as JSON of its Go type. */
const goRule = (rule: ValidationRule): object => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
});
