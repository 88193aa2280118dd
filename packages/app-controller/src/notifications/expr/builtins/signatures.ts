import { anyList, isList, isNumber, type Nature, natures } from '../nature.ts';

/** Functions that take predicates, with their arguments; `?` marks those that may be left out. */
export const predicateArguments: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['all', 'none', 'any', 'one', 'filter', 'map', 'find', 'findIndex', 'findLast', 'findLastIndex', 'groupBy'].map(
    (name): [string, readonly string[]] => [name, ['expression', 'predicate']],
  ),
  ['count', ['expression', 'predicate?']],
  ['sum', ['expression', 'predicate?']],
  ['sortBy', ['expression', 'predicate', 'expression?']],
  ['reduce', ['expression', 'predicate', 'expression?']],
]);

/** The result for arguments of these natures, or what is wrong with them. */
export type Signature = (args: readonly Nature[]) => Nature | string;

const words: Readonly<Record<string, Nature>> = { ...natures, any: natures.unknown, list: anyList };
const wordOf = (word: string): Nature => words[word] ?? natures.unknown;

/** Overloads such as `string string`, of which one must fit, and the result. */
function overloads(result: string, ...params: string[]): Signature {
  const lists = params.map((text) => (text === '' ? [] : text.split(' ').map(wordOf)));
  return (args) => {
    let problem = '';
    for (const list of lists) {
      const found = mismatch(args, list);
      if (found === undefined) return wordOf(result);
      problem = found;
    }
    return problem;
  };
}

function mismatch(args: readonly Nature[], params: readonly Nature[]): string | undefined {
  if (args.length !== params.length) return `${args.length > params.length ? 'too many' : 'not enough'} arguments`;
  for (const [i, arg] of args.entries()) {
    const param = params[i] ?? natures.unknown;
    if (param.kind === 'unknown' || arg.kind === 'unknown' || arg.kind === param.kind) continue;
    return `cannot use ${arg.kind === 'nil' ? 'nil' : arg.name} as argument (type ${param.name})`;
  }
  return undefined;
}

/** One argument, which is unknown or passes the test. */
const one =
  (test: (nature: Nature) => boolean, result: (arg: Nature) => Nature): Signature =>
  (args) => {
    const [arg] = args;
    if (!arg || args.length !== 1) return `invalid number of arguments (expected 1, got ${args.length})`;
    return arg.kind === 'unknown' || test(arg) ? result(arg) : `invalid argument (type ${arg.name})`;
  };

const isMap = ({ kind }: Nature): boolean => kind === 'map';
const hasLength = (nature: Nature): boolean => isList(nature) || isMap(nature) || nature.kind === 'string';
/** A duration is a number to the compiler, and not to the function. */
const isAmount = (nature: Nature): boolean => isNumber(nature) || nature.kind === 'duration';
const convertible = (nature: Nature): boolean => isAmount(nature) || nature.kind === 'string';
const rounding = one(isAmount, () => natures.float);
const element = one(isList, () => natures.unknown);
const listed = one(isList, () => anyList);
const aggregate: Signature = (args) => {
  if (args.length === 0) return 'not enough arguments';
  for (const arg of args) {
    if (arg.kind === 'unknown' || isList(arg)) return natures.unknown;
    if (!isAmount(arg)) return `invalid argument (type ${arg.name})`;
  }
  return args[0] ?? natures.unknown;
};
const bits = overloads('int', 'int int');
const lists: Signature = (args) => {
  if (args.length === 0) return 'invalid number of arguments (expected at least 1, got 0)';
  const wrong = args.find((arg) => arg.kind !== 'unknown' && !isList(arg));
  return wrong ? `cannot concat ${wrong.name}` : anyList;
};
const take: Signature = ([list, count, ...more]) => {
  if (!list || !count || more.length > 0) return 'invalid number of arguments (expected 2)';
  if (list.kind !== 'unknown' && !isList(list)) return `cannot take from ${list.name}`;
  return count.kind === 'unknown' || count.kind === 'int' ? list : `cannot take ${count.name} elements`;
};
const now: Signature = ([zone, ...more]) =>
  !zone || (zone.kind === 'location' && more.length === 0) ? natures.time : 'invalid number of arguments';
const date: Signature = (args) => {
  const rest = args[0]?.kind === 'location' ? args.slice(1) : args;
  return args.length >= 1 && rest.length <= 3 ? natures.time : 'invalid number of arguments (expected 1 to 3)';
};
const get: Signature = ([base, key, ...more]) => {
  if (!base || !key || more.length > 0) return 'invalid number of arguments (expected 2)';
  if (base.kind === 'unknown' || isList(base) || isMap(base)) return natures.unknown;
  return `type ${base.name} does not support indexing`;
};

const strings = (result: string, ...params: string[]): Signature => overloads(result, ...params);
const signatures: Readonly<Record<string, Signature>> = {
  len: one(hasLength, () => natures.int),
  type: overloads('string', 'any'),
  abs: one(isAmount, (arg) => arg),
  ceil: rounding,
  floor: rounding,
  round: rounding,
  int: one(convertible, () => natures.int),
  float: one(
    (arg) => isAmount(arg) || arg.kind === 'string',
    () => natures.float,
  ),
  string: overloads('string', 'any'),
  trim: strings('string', 'string', 'string string'),
  trimPrefix: strings('string', 'string string', 'string'),
  trimSuffix: strings('string', 'string string', 'string'),
  upper: strings('string', 'string'),
  lower: strings('string', 'string'),
  split: strings('list', 'string string', 'string string int'),
  splitAfter: strings('list', 'string string', 'string string int'),
  replace: strings('string', 'string string string int', 'string string string'),
  repeat: strings('string', 'string int'),
  join: strings('string', 'list string', 'list'),
  indexOf: strings('int', 'string string'),
  lastIndexOf: strings('int', 'string string'),
  hasPrefix: strings('bool', 'string string'),
  hasSuffix: strings('bool', 'string string'),
  max: aggregate,
  min: aggregate,
  mean: aggregate,
  median: aggregate,
  toJSON: overloads('string', 'any'),
  fromJSON: overloads('any', 'string'),
  toBase64: overloads('string', 'string'),
  fromBase64: overloads('string', 'string'),
  now,
  duration: overloads('duration', 'string'),
  date,
  timezone: overloads('location', 'string'),
  first: element,
  last: element,
  get,
  take,
  keys: one(isMap, () => anyList),
  values: one(isMap, () => anyList),
  toPairs: one(isMap, () => anyList),
  fromPairs: one(isList, () => natures.groups),
  reverse: listed,
  uniq: listed,
  flatten: listed,
  concat: lists,
  sort: overloads('list', 'list string', 'list'),
  bitand: bits,
  bitor: bits,
  bitxor: bits,
  bitnand: bits,
  bitshl: bits,
  bitshr: bits,
  bitushr: bits,
  bitnot: overloads('int', 'int'),
};

export const isBuiltin = (name: string): boolean => Object.hasOwn(signatures, name);
export const signatureOf = (name: string): Signature | undefined => (isBuiltin(name) ? signatures[name] : undefined);
