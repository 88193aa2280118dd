import { type FieldError, fieldError } from '../../field-error.ts';
import type { JsonSchema, ValidationRule } from '../definition.ts';
import { type Structural, structural } from '../structural.ts';
import { estimateCost, ruleCostLimit } from './estimate.ts';
import { type Extent, extentOf, mostTimes } from './extent.ts';
import { parse } from './parse.ts';
import { compileRule } from './rule.ts';
import { typeOfSchema } from './schema-values.ts';

/** Compiles every rule of a schema and reports what is wrong with it, where the schema around it is not wrong already. */
export function validateSchemaRules(
  schema: JsonSchema,
  path: string,
  schemaErrors: readonly FieldError[],
  checksCost: boolean,
): FieldError[] {
  const context: Context = { schemaErrors, checksCost };
  return visit(schema, structural(schema), { path, isResource: true, uncorrelated: undefined, times: 1 }, context);
}

interface Context {
  readonly schemaErrors: readonly FieldError[];
  readonly checksCost: boolean;
}

interface Place {
  readonly path: string;
  readonly isResource: boolean;
  /** The list above whose items cannot be told from one update to the next: there is no `oldSelf` within. */
  readonly uncorrelated: string | undefined;
  /** How often a value can stand here in one object; undefined where nothing above bounds it. */
  readonly times: number | undefined;
}

function visit(schema: JsonSchema, compiled: Structural, place: Place, context: Context): FieldError[] {
  const errors: FieldError[] = [];
  const { path } = place;
  const { additionalProperties: additional, items } = schema;
  const timesBelow = multiplied(place.times, elementsOf(compiled));
  const below = (child: JsonSchema, own: Structural, at: string, uncorrelated = place.uncorrelated) =>
    errors.push(...visit(child, own, { path: at, isResource: own.embedded, uncorrelated, times: timesBelow }, context));
  if (typeof additional === 'object' && typeof compiled.additional === 'object')
    below(additional, compiled.additional, `${path}.additionalProperties`);
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    below(property, compiled.properties.get(name)!, `${path}.properties[${name}]`);
  if (items && !Array.isArray(items) && compiled.items)
    below(
      items,
      compiled.items,
      `${path}.items`,
      place.uncorrelated ?? (compiled.listType === 'map' ? undefined : path),
    );
  if (compiled.rules.length > 0 && !context.schemaErrors.some((error) => error.field.startsWith(path)))
    errors.push(...validateRules(compiled, place, context.checksCost));
  return errors;
}

function validateRules(schema: Structural, place: Place, checksCost: boolean): FieldError[] {
  const type = typeOfSchema(schema, place.isResource);
  const base = `${place.path}.x-kubernetes-validations`;
  if (!type)
    return [
      fieldError.internal(base, 'internal error: failed to retrieve type information for x-kubernetes-validations'),
    ];
  return schema.rules.flatMap((source, index) => {
    const at = (field: string) => `${base}[${index}].${field}`;
    const rule = compileRule(source, type, schema);
    const errors: FieldError[] = [];
    if (checksCost && rule.test) errors.push(...validateCost(source, schema, place, at));
    if (rule.problem) errors.push(fieldError.invalid(at('rule'), goRule(source), rule.problem));
    if (rule.messageProblem)
      errors.push(fieldError.invalid(at('messageExpression'), goRule(source), rule.messageProblem));
    if (rule.usesOldSelf && place.uncorrelated !== undefined)
      errors.push(
        fieldError.invalid(
          at('rule'),
          source.rule,
          `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`,
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

/** How many of what is within there can be: undefined where that is not bounded. */
function elementsOf(schema: Structural): number | undefined {
  if (schema.type === 'array') return schema.maxItems;
  return typeof schema.additional === 'object' ? schema.maxProperties : 1;
}

const multiplied = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? undefined : left * right;

function validateCost(
  source: ValidationRule,
  schema: Structural,
  place: Place,
  at: (field: string) => string,
): FieldError[] {
  const self: Extent = extentOf(schema);
  const times = place.times ?? mostTimes(schema);
  const check = (field: string, expression: string | undefined, name: string): FieldError[] => {
    const cost = expression ? estimateCost(parse(expression), { self, oldSelf: self }) * times : 0;
    return cost > ruleCostLimit ? [fieldError.forbidden(at(field), costMessage(name, cost))] : [];
  };
  return check('rule', source.rule, 'estimated rule cost');
}

function costMessage(name: string, cost: number): string {
  const factor = cost / ruleCostLimit;
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** A rule as Go's JSON shows the server's own form of it. */
const goRule = (rule: ValidationRule): object => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
});
