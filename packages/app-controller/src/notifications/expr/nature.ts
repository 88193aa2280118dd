/** What is known of a value before the expression runs. Variables are unknown; literals and results of functions are known. */
export interface Nature {
  readonly kind:
    | 'unknown'
    | 'nil'
    | 'bool'
    | 'int'
    | 'float'
    | 'string'
    | 'bytes'
    | 'list'
    | 'map'
    | 'time'
    | 'duration'
    | 'location'
    | 'function';
  /** The type in messages. */
  readonly name: string;
  /** Of the elements of a list or a map. */
  readonly elem?: Nature;
  /** A map whose keys may be anything. */
  readonly anyKey?: boolean;
}

const plain = (kind: Nature['kind'], name: string = kind): Nature => ({ kind, name });
export const natures = {
  unknown: plain('unknown'),
  nil: plain('nil', 'unknown'),
  bool: plain('bool'),
  int: plain('int'),
  float: plain('float', 'float64'),
  string: plain('string'),
  bytes: plain('bytes', '[]uint8'),
  time: plain('time', 'time.Time'),
  duration: plain('duration', 'time.Duration'),
  location: plain('location', '*time.Location'),
  function: plain('function', 'func'),
  map: { ...plain('map', 'map[string]interface {}'), elem: plain('unknown') },
  groups: { ...plain('map', 'map[interface {}][]interface {}'), anyKey: true, elem: plain('unknown') },
} as const satisfies Record<string, Nature>;

export const listOf = (elem: Nature): Nature => ({ kind: 'list', name: '[]interface {}', elem });
export const anyList = listOf(natures.unknown);

export const isUnknown = ({ kind }: Nature): boolean => kind === 'unknown';
export const isNumber = ({ kind }: Nature): boolean => kind === 'int' || kind === 'float';
export const isList = ({ kind }: Nature): boolean => kind === 'list' || kind === 'bytes';
export const elemOf = ({ kind, elem }: Nature): Nature => (kind === 'bytes' ? natures.int : (elem ?? natures.unknown));

/** Whether a value of one nature can be given where the other is expected. */
export function isAssignable(from: Nature, to: Nature): boolean {
  if (from.kind === 'nil') return ['unknown', 'list', 'bytes', 'map', 'function', 'location'].includes(to.kind);
  if (isUnknown(from) || isUnknown(to)) return false;
  return from.kind === to.kind && (from.kind !== 'map' || from.anyKey === to.anyKey);
}

/** Whether `==` makes sense between the two. */
export const isComparable = (a: Nature, b: Nature): boolean =>
  isUnknown(a) ||
  isUnknown(b) ||
  a.kind === 'nil' ||
  b.kind === 'nil' ||
  (isNumber(a) && isNumber(b)) ||
  (isList(a) && isList(b)) ||
  isAssignable(a, b);

/** Whether one is unknown, and the other is unknown too or passes the test. */
export const maybe = (a: Nature, b: Nature, test: (nature: Nature) => boolean): boolean =>
  (isUnknown(a) && (isUnknown(b) || test(b))) || (isUnknown(b) && test(a));
