import { describeCall } from './overloads.ts';
import type { Node } from './parse.ts';
import { CompileProblem, placeOf } from './problems.ts';
import type { Step } from './scope.ts';
import { join, type Type, typeName, types } from './types.ts';
import { CelError, List, MapValue, ObjectValue, Optional, Uint, type Value } from './values.ts';

/** The type of a field, or a problem if it does not exist. */
export function fieldType(type: Type, field: string, node: Node): Type {
  switch (type.kind) {
    case 'object': {
      const own = type.fields.get(field);
      if (!own) throw new CompileProblem(`undefined field '${field}'`, placeOf(node));
      return own;
    }
    case 'map':
      return type.value;
    case 'dyn':
    case 'param':
      return types.dyn;
    default:
      throw new CompileProblem(`type '${typeName(type)}' does not support field selection`, placeOf(node));
  }
}

export function fieldOf(value: Value, field: string): Value | undefined {
  if (value instanceof ObjectValue) return value.source.get(field);
  if (value instanceof MapValue) return value.get(field);
  throw new CelError(`no such overload: field ${field}`);
}

export function select(operand: Step, field: string, node: Node): Step {
  // A field of an optional is optional itself.
  if (operand.type.kind === 'optional') return optionalSelect(operand, field, node);
  return {
    type: fieldType(operand.type, field, node),
    run: (frame) => {
      frame.budget.spend(1);
      const value = fieldOf(operand.run(frame), field);
      if (value === undefined) throw new CelError(`no such key: ${field}`);
      return value;
    },
  };
}

export function optionalSelect(operand: Step, field: string, node: Node): Step {
  const inner = operand.type.kind === 'optional' ? operand.type.of : operand.type;
  const type = fieldType(inner, field, node);
  return {
    type: type.kind === 'optional' ? type : types.optional(type),
    run: (frame) => {
      frame.budget.spend(1);
      const value = operand.run(frame);
      if (value instanceof Optional && !value.hasValue) return value;
      const found = fieldOf(value instanceof Optional ? value.value : value, field);
      return found === undefined ? Optional.none : new Optional(found);
    },
  };
}

function elementType(type: Type, key: Type, node: Node): Type {
  const fits = (expected: Type['kind'][]) => key.kind === 'dyn' || expected.includes(key.kind);
  if (type.kind === 'list' && fits(['int', 'uint', 'double'])) return type.item;
  if (type.kind === 'map' && (type.key.kind === 'dyn' || type.key.kind === 'param' || join(type.key, key)))
    return type.value;
  if (type.kind === 'dyn' || type.kind === 'param') return types.dyn;
  throw new CompileProblem(describeCall('_[_]', false, [type, key]), placeOf(node));
}

function elementOf(value: Value, key: Value): Value | undefined {
  if (value instanceof MapValue) return value.get(key);
  if (!(value instanceof List)) throw new CelError('no such overload: _[_]');
  const at = key instanceof Uint ? Number(key.value) : Number(key);
  if (typeof key !== 'bigint' && typeof key !== 'number' && !(key instanceof Uint))
    throw new CelError('no such overload: _[_]');
  return Number.isInteger(at) && at >= 0 && at < value.size ? value.at(at) : undefined;
}

const shownKey = (key: Value): string => (key instanceof Uint ? `${key.value}` : String(key));

export function index(operand: Step, key: Step, node: Node): Step {
  if (operand.type.kind === 'optional') return optionalIndex(operand, key, node);
  return {
    type: elementType(operand.type, key.type, node),
    run: (frame) => {
      frame.budget.spend(1);
      const value = operand.run(frame);
      const at = key.run(frame);
      const found = elementOf(value, at);
      if (found !== undefined) return found;
      throw new CelError(`${value instanceof List ? 'index out of bounds' : 'no such key'}: ${shownKey(at)}`);
    },
  };
}

export function optionalIndex(operand: Step, key: Step, node: Node): Step {
  const inner = operand.type.kind === 'optional' ? operand.type.of : operand.type;
  return {
    type: types.optional(elementType(inner, key.type, node)),
    run: (frame) => {
      frame.budget.spend(1);
      const value = operand.run(frame);
      if (value instanceof Optional && !value.hasValue) return value;
      const found = elementOf(value instanceof Optional ? value.value : value, key.run(frame));
      return found === undefined ? Optional.none : new Optional(found);
    },
  };
}
