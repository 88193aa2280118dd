import {
  type FieldError,
  fieldError,
  isObject,
  type Json,
  quoteValue,
  type Structural,
  spineHas,
  type ValidationRule,
} from '@fairlead/apimachinery';
import type { RuleContext } from '../../resource.ts';
import { Correlation, itemsByKeys, keysOf } from '../correlation.ts';
import { Budget, perCallLimit, perObjectLimit } from './budget.ts';
import { type CompiledRule, compileRule } from './rule.ts';
import { celValue, typeOfSchema } from './schema-values.ts';
import type { Step } from './scope.ts';
import { unsupportedRules } from './unsupported.ts';
import { CelError, CostExceeded, Optional, type Value } from './values.ts';

/** The rules (`x-kubernetes-validations`) of a schema and its nested schemas. */
export interface SchemaRules {
  /** Messages about the rules that cannot be evaluated here. */
  readonly unsupported: readonly string[];
  /** `at` is the path of the value, for a nested schema. */
  validate(value: Json, old: Json | undefined, context: Pick<RuleContext, 'warn'>, at?: string): FieldError[];
}

interface RuleNode {
  readonly schema: Structural;
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  readonly items: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional: RuleNode | undefined;
}

/** Undefined if the schema has no rules. Rules of rejected CRDs do not get here. */
export function compileRules(schema: Structural, isResource = true): SchemaRules | undefined {
  if (!spineHas(schema, (part) => part.rules.length > 0)) return undefined;
  const root = ruleNode(schema, isResource);
  if (!root) return undefined;
  return {
    unsupported: unsupportedRules(schema),
    validate(value, old, context, at = '') {
      const correlation = old === undefined ? undefined : new Correlation(value, old, schema);
      const run = new Validation(context);
      run.node(root, at, value, old, { current: correlation, parent: undefined });
      return run.errors;
    },
  };
}

function ruleNode(schema: Structural, isResource: boolean): RuleNode | undefined {
  const type = typeOfSchema(schema, isResource);
  if (!type) return undefined;
  const items = schema.items && ruleNode(schema.items, schema.items.embedded);
  const additional =
    typeof schema.additional === 'object' ? ruleNode(schema.additional, schema.additional.embedded) : undefined;
  const properties = new Map<string, RuleNode>();
  for (const [name, property] of schema.properties) {
    const node = ruleNode(property, property.embedded);
    if (node) properties.set(name, node);
  }
  const rules = schema.rules.map((rule) => compileRule(rule, type, schema));
  if (rules.length === 0 && !items && !additional && properties.size === 0) return undefined;
  return { schema, isResource, rules, items, properties, additional };
}

/** The old value, if it is known; otherwise that of the nearest parent for which it is. */
interface Past {
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

const below = (past: Past, key: string | number): Past => {
  if (!past.current) return past;
  // At the root, both objects have the same version: a change of apiVersion is not visible.
  if (!past.parent && (key === 'apiVersion' || key === 'kind')) return { current: undefined, parent: undefined };
  const current = typeof key === 'number' ? past.current.index(key) : past.current.key(key);
  return { current, parent: past.current };
};

const isUnchanged = (past: Past): boolean => (past.current ?? past.parent)?.isUnchanged() ?? false;

/** Once the cost limit of all rules is reached, the others are not run, and the object is rejected. */
class Validation {
  readonly errors: FieldError[] = [];
  readonly #context: Pick<RuleContext, 'warn'>;
  #left = perObjectLimit;

  constructor(context: Pick<RuleContext, 'warn'>) {
    this.#context = context;
  }

  node(node: RuleNode, path: string, value: Json, old: Json | undefined, past: Past): void {
    if (value === null || this.#left < 0) return;
    if (node.rules.length > 0) this.#rules(node, path, value, old ?? undefined, past);
    if (Array.isArray(value)) this.#list(node, path, value, old, past);
    else if (isObject(value)) {
      const before = isObject(old) ? old : undefined;
      const oldOf = (key: string) => (before && Object.hasOwn(before, key) ? before[key] : undefined);
      for (const [key, field] of Object.entries(value)) {
        const property = node.properties.get(key);
        if (node.additional) this.node(node.additional, `${path}[${key}]`, field, oldOf(key), below(past, key));
        if (property) this.node(property, path === '' ? key : `${path}.${key}`, field, oldOf(key), below(past, key));
      }
    }
  }

  #list(node: RuleNode, path: string, value: Json[], old: Json | undefined, past: Past): void {
    const { items, schema } = node;
    if (!items) return;
    const before = schema.listType === 'map' && Array.isArray(old) ? itemsByKeys(old, schema) : undefined;
    for (const [index, item] of value.entries()) {
      const oldItem = before && isObject(item) ? before.get(keysOf(item, schema)) : undefined;
      this.node(items, `${path}[${index}]`, item, oldItem, below(past, index));
    }
  }

  #rules(node: RuleNode, path: string, value: Json, old: Json | undefined, past: Past): void {
    const { schema, isResource } = node;
    const field = path === '' ? '<nil>' : path;
    const lazy = lazily(() => celValue(value, schema, isResource));
    const lazyOld = lazily(() => (old === undefined ? undefined : celValue(old, schema, isResource)));
    for (const rule of node.rules) {
      if (this.#left < 0) return;
      const isOptional = rule.source.optionalOldSelf === true;
      if (!rule.test || (rule.usesOldSelf && old === undefined && !isOptional)) continue;
      const failure = (detail: string) => fieldError.invalid(field, schema.type, detail);
      try {
        const slots = () => slotsFor(lazy(), rule.usesOldSelf ? lazyOld() : undefined, isOptional);
        if (this.#evaluate(rule.test, slots) === true) continue;
        const detail = this.#messageOf(rule, slots);
        const at = rule.fieldPath === '' ? field : path === '' ? rule.fieldPath : `${path}.${rule.fieldPath}`;
        const error = failedRule(at, schema, value, detail, rule.source.reason);
        if (!rule.usesOldSelf && isUnchanged(past)) this.#context.warn(`${error.field}: ${error.message}`);
        else this.errors.push(error);
      } catch (error) {
        this.#failed(error, rule.source, failure);
      }
    }
  }

  #evaluate(step: Step, slots: () => Value[]): Value {
    const limit = Math.min(perCallLimit, this.#left);
    const budget = new Budget(limit);
    try {
      return step.run({ slots: slots(), budget });
    } finally {
      this.#left -= limit - Math.max(0, budget.left);
    }
  }

  #failed(error: unknown, rule: ValidationRule, failure: (detail: string) => FieldError): void {
    if (error instanceof CostExceeded) {
      this.errors.push(
        failure(
          `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shownRule(rule)}`,
        ),
      );
      this.#left = -1;
      return;
    }
    // Values of unexpected types come from schemaless parts: a JavaScript error counts as a missing overload.
    const text =
      error instanceof CelError ? error.message : error instanceof TypeError ? 'no such overload' : undefined;
    if (text === undefined) throw error;
    this.errors.push(
      failure(
        text.startsWith('no such overload')
          ? `'${text}': call arguments did not match a supported operator, function or macro signature for rule: ${shownRule(rule)}`
          : `${text} evaluating rule: ${shownRule(rule)}`,
      ),
    );
  }

  /** The messageExpression of the rule, if its result can be used; otherwise its fixed message. */
  #messageOf(rule: CompiledRule, slots: () => Value[]): string {
    if (rule.message) {
      try {
        const made = this.#evaluate(rule.message, slots);
        const text = typeof made === 'string' ? made.trim() : '';
        if (text !== '' && !text.includes('\n') && text.length <= 5 * 1024) return text;
      } catch (error) {
        if (!(error instanceof CelError) && !(error instanceof CostExceeded) && !(error instanceof TypeError))
          throw error;
      }
    }
    return rule.source.message ? rule.source.message.trim() : `failed rule: ${shownRule(rule.source)}`;
  }
}

function slotsFor(self: Value, old: Value | undefined, isOptional: boolean): Value[] {
  if (!isOptional) return old === undefined ? [self] : [self, old];
  return [self, old === undefined ? Optional.none : new Optional(old)];
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const shownRule = (rule: ValidationRule): string => (rule.message || rule.rule).trim();

/** Objects and lists are not included in the error, scalars are. */
function failedRule(
  field: string,
  schema: Structural,
  value: Json,
  detail: string,
  reason: string | undefined,
): FieldError {
  const shown = schema.type === 'object' || schema.type === 'array' ? '' : quoteValue(value);
  switch (reason) {
    case 'FieldValueForbidden':
      return fieldError.forbidden(field, detail);
    case 'FieldValueRequired':
      return fieldError.required(field, detail);
    case 'FieldValueDuplicate':
      return { reason, field, message: shown ? `Duplicate value: ${shown}` : 'Duplicate value' };
    default:
      return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${shown ? `${shown}: ` : ''}${detail}` };
  }
}
