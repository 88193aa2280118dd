import type { Evaluator } from '../evaluate.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import { toText } from '../manifest.ts';
import { equal } from '../operators.ts';
import { characters, isFunction, JsonnetArray, JsonnetObject, Thunk, typeOf, type Value } from '../value.ts';
import { type Definition, define } from './define.ts';

const names = (object: JsonnetObject, hidden: boolean): JsonnetArray => JsonnetArray.of(object.names(hidden));
const field = (evaluator: Evaluator, object: JsonnetObject, name: string): Thunk =>
  new Thunk(() => evaluator.field(object, name));
const has = (object: JsonnetObject, name: string, hidden: boolean): boolean =>
  hidden ? object.layerOf(name) >= 0 : object.visibility.get(name) === true;
const valuesOf = (evaluator: Evaluator, object: JsonnetObject, hidden: boolean): JsonnetArray =>
  new JsonnetArray(object.names(hidden).map((name) => field(evaluator, object, name)));
const pairs = (evaluator: Evaluator, object: JsonnetObject, hidden: boolean): JsonnetArray =>
  JsonnetArray.of(
    object.names(hidden).map((name) =>
      JsonnetObject.of([
        ['key', Thunk.of(name)],
        ['value', field(evaluator, object, name)],
      ]),
    ),
  );

function length(value: Value): number {
  if (typeof value === 'string') return characters(value).length;
  if (value instanceof JsonnetArray) return value.items.length;
  if (value instanceof JsonnetObject) return value.names(false).length;
  if (isFunction(value)) return value.parameters.length;
  throw new JsonnetError(`length operates on strings, objects, functions and arrays, got ${typeOf(value)}`);
}

const isBare = (value: Value): boolean =>
  value === null ||
  (value instanceof JsonnetArray && value.items.length === 0) ||
  (value instanceof JsonnetObject && value.names(false).length === 0);

/** Removes nulls, empty arrays and empty objects, at any depth. */
function prune(evaluator: Evaluator, value: Value): Value {
  if (value instanceof JsonnetArray)
    return JsonnetArray.of(value.values.map((item) => prune(evaluator, item)).filter((item) => !isBare(item)));
  if (!(value instanceof JsonnetObject)) return value;
  const kept = value
    .names(false)
    .map((name): [string, Value] => [name, prune(evaluator, evaluator.field(value, name))])
    .filter(([, item]) => !isBare(item));
  return JsonnetObject.of(kept.map(([name, item]) => [name, Thunk.of(item)] as const));
}

/** RFC 7396 on values that are evaluated lazily. */
function patched(evaluator: Evaluator, target: Value, patch: Value): Value {
  if (!(patch instanceof JsonnetObject)) return patch;
  const base = target instanceof JsonnetObject ? target : JsonnetObject.of([]);
  const merged = new Map(base.names(false).map((name) => [name, field(evaluator, base, name)]));
  for (const name of patch.names(false)) {
    const value = evaluator.field(patch, name);
    if (value === null) merged.delete(name);
    else {
      const before = merged.get(name);
      merged.set(name, new Thunk(() => patched(evaluator, before?.force() ?? null, value)));
    }
  }
  return JsonnetObject.of(merged);
}

const isType = (type: string): Definition => define('v', (_, value) => typeOf(value.value) === type);

export const objects: Readonly<Record<string, Definition>> = {
  type: define('x', (_, x) => typeOf(x.value)),
  isArray: isType('array'),
  isBoolean: isType('boolean'),
  isFunction: isType('function'),
  isNumber: isType('number'),
  isObject: isType('object'),
  isString: isType('string'),
  isNull: isType('null'),
  length: define('x', (_, x) => length(x.value)),
  get: define('o f default? inc_hidden?', (evaluator, o, f, fallback, hidden) =>
    has(o.object, f.text, hidden.or('truth', true)) ? evaluator.field(o.object, f.text) : fallback.value,
  ),
  objectHas: define('o f', (_, o, f) => has(o.object, f.text, false)),
  objectHasAll: define('o f', (_, o, f) => has(o.object, f.text, true)),
  objectHasEx: define('obj fname hidden', (_, o, f, hidden) => has(o.object, f.text, hidden.truth)),
  objectFields: define('o', (_, o) => names(o.object, false)),
  objectFieldsAll: define('o', (_, o) => names(o.object, true)),
  objectFieldsEx: define('obj hidden', (_, o, hidden) => names(o.object, hidden.truth)),
  objectValues: define('o', (evaluator, o) => valuesOf(evaluator, o.object, false)),
  objectValuesAll: define('o', (evaluator, o) => valuesOf(evaluator, o.object, true)),
  objectKeysValues: define('o', (evaluator, o) => pairs(evaluator, o.object, false)),
  objectKeysValuesAll: define('o', (evaluator, o) => pairs(evaluator, o.object, true)),
  objectRemoveKey: define('obj key', (_, o, key) => {
    const { layers } = o.object;
    const without = { name: key.text, layers: layers.length };
    return new JsonnetObject([...layers, { fields: new Map(), locals: [], asserts: [], scope: undefined, without }]);
  }),
  mapWithKey: define('func obj', (evaluator, f, o) => {
    const [run, object] = [f.function, o.object];
    return JsonnetObject.of(
      object
        .names(false)
        .map((name) => [name, new Thunk(() => evaluator.apply(run, name, field(evaluator, object, name)))] as const),
    );
  }),
  prune: define('a', (evaluator, a) => prune(evaluator, a.value)),
  mergePatch: define('target patch', (evaluator, target, patch) => patched(evaluator, target.value, patch.value)),
  equals: define('a b', (evaluator, a, b) => equal(evaluator, a.value, b.value)),
  primitiveEquals: define('x y', (_, a, b) => {
    const { value } = a;
    if (typeOf(value) !== typeOf(b.value)) return false;
    if (typeof value === 'object' && value !== null)
      throw new JsonnetError(`primitiveEquals operates on primitive types, got ${typeOf(value)}`);
    return a.value === b.value;
  }),
  assertEqual: define('a b', (evaluator, a, b) => {
    if (equal(evaluator, a.value, b.value)) return true;
    throw new JsonnetError(`Assertion failed. ${toText(evaluator, a.value)} != ${toText(evaluator, b.value)}`);
  }),
};
