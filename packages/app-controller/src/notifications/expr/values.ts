import {
  display,
  GoInt,
  GoMap,
  type GoType,
  type GoValue,
  itemsOf,
  sortedKeys,
  typeName,
} from '@fairlead/render/go-template';

/** A failure that only has a reason; the evaluator adds the place. */
export class EvalFailure extends Error {}

export const fail = (reason: string): never => {
  throw new EvalFailure(reason);
};

const groupsType: GoType = { kind: 'map', name: 'map[interface {}][]interface {}' };

/** A map whose keys may be any value, such as `groupBy` makes. */
export class AnyKeyMap extends GoMap {
  readonly originals = new Map<string, GoValue>();

  constructor() {
    super(null, groupsType);
  }
}

/** A value as Go prints it. Keys of a map are printed as themselves, whatever their type. */
export const printed = (value: GoValue): string => display(withTextKeys(value));

function withTextKeys(value: GoValue): GoValue {
  if (value instanceof GoMap) {
    const isAnyKey = value instanceof AnyKeyMap;
    const keyOf = (id: string): string => (isAnyKey ? display(value.originals.get(id) ?? null) : id);
    if (!isAnyKey && ![...value.values()].some(isCompound)) return value;
    return new GoMap(
      sortedKeys(value).map((id) => [keyOf(id), withTextKeys(value.get(id))]),
      isAnyKey ? undefined : value.type,
    );
  }
  return Array.isArray(value) && value.some(isCompound) ? value.map(withTextKeys) : value;
}

const isCompound = (value: GoValue): boolean => value instanceof GoMap || itemsOf(value) !== undefined;

/** How the type of a value is called in messages. */
export const typeText = (value: GoValue): string => (value === null || value === undefined ? '<nil>' : typeName(value));

/** Numbers that operators accept: not durations, months and the like, which are separate types. */
export const isPlainInt = (value: GoValue): value is GoInt => value instanceof GoInt && !value.type.named;
export const isNumeric = (value: GoValue): value is GoInt | number => typeof value === 'number' || isPlainInt(value);
export const toFloat = (value: GoInt | number): number => (typeof value === 'number' ? value : Number(value.value));

/** A number as an index. */
export function toIndex(value: GoValue): number {
  if (!isNumeric(value)) return fail(`invalid operation: int(${typeText(value)})`);
  return Math.trunc(toFloat(value));
}

export const isNil = (value: GoValue): boolean =>
  value === null || value === undefined || (typeof value === 'object' && 'isNil' in value && value.isNil === true);

export const toText = (value: GoValue): string =>
  typeof value === 'string' ? value : fail(`the value is ${typeText(value)}, not string`);
export const toBool = (value: GoValue): boolean =>
  typeof value === 'boolean' ? value : fail(`the value is ${typeText(value)}, not bool`);
