/** The types of the Common Expression Language in rules of CRDs. */
export type Type =
  | { readonly kind: Simple }
  | { readonly kind: 'list'; readonly item: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'optional'; readonly of: Type }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Type> }
  /** An opaque type of a Kubernetes library. */
  | { readonly kind: 'opaque'; readonly name: string }
  /** A type parameter, the same wherever it occurs in one signature. */
  | { readonly kind: 'param'; readonly name: string };

type Simple =
  | 'dyn'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'type';

const simple = (kind: Simple): Type => ({ kind });

export const types = {
  dyn: simple('dyn'),
  null: simple('null'),
  bool: simple('bool'),
  int: simple('int'),
  uint: simple('uint'),
  double: simple('double'),
  string: simple('string'),
  bytes: simple('bytes'),
  timestamp: simple('timestamp'),
  duration: simple('duration'),
  type: simple('type'),
  list: (item: Type): Type => ({ kind: 'list', item }),
  map: (key: Type, value: Type): Type => ({ kind: 'map', key, value }),
  optional: (of: Type): Type => ({ kind: 'optional', of }),
  opaque: (name: string): Type => ({ kind: 'opaque', name }),
};

/** The CEL notation of a type. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeName(type.item)})`;
    case 'map':
      return `map(${typeName(type.key)}, ${typeName(type.value)})`;
    case 'optional':
      return `optional_type(${typeName(type.of)})`;
    case 'object':
      return 'object';
    case 'opaque':
      return `kubernetes.${type.name}`;
    case 'param':
      return type.name;
    case 'null':
      return 'null_type';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    default:
      return type.kind;
  }
}

export type Bindings = Map<string, Type>;

/** Whether a value of type `actual` is assignable to `formal`; parameters of `formal` are bound. */
export function isAssignable(formal: Type, actual: Type, bindings: Bindings): boolean {
  if (formal.kind === 'param') {
    const bound = bindings.get(formal.name);
    if (!bound || bound.kind === 'dyn') {
      bindings.set(formal.name, actual);
      return true;
    }
    const joined = join(bound, actual);
    if (joined) bindings.set(formal.name, joined);
    return joined !== undefined;
  }
  if (formal.kind === 'dyn' || actual.kind === 'dyn' || actual.kind === 'param') return true;
  if (actual.kind === 'null') return formal.kind === 'null' || isNullable(formal);
  switch (formal.kind) {
    case 'list':
      return actual.kind === 'list' && isAssignable(formal.item, actual.item, bindings);
    case 'map':
      return (
        actual.kind === 'map' &&
        isAssignable(formal.key, actual.key, bindings) &&
        isAssignable(formal.value, actual.value, bindings)
      );
    case 'optional':
      return actual.kind === 'optional' && isAssignable(formal.of, actual.of, bindings);
    case 'opaque':
      return actual.kind === 'opaque' && actual.name === formal.name;
    case 'object':
      return actual === formal || (actual.kind === 'object' && actual.fields === formal.fields);
    default:
      return actual.kind === formal.kind;
  }
}

const isNullable = (type: Type): boolean =>
  type.kind === 'object' ||
  type.kind === 'opaque' ||
  type.kind === 'optional' ||
  type.kind === 'timestamp' ||
  type.kind === 'duration';

/** The common type of both, or undefined if there is none. */
export function join(left: Type, right: Type): Type | undefined {
  if (left.kind === 'dyn' || right.kind === 'dyn') return types.dyn;
  if (left.kind === 'param') return right;
  if (right.kind === 'param') return left;
  if (left.kind === 'null') return right.kind === 'null' || isNullable(right) ? right : undefined;
  if (right.kind === 'null') return isNullable(left) ? left : undefined;
  if (left.kind === 'list' && right.kind === 'list') {
    const item = join(left.item, right.item);
    return item && types.list(item);
  }
  if (left.kind === 'map' && right.kind === 'map') {
    const key = join(left.key, right.key);
    const value = join(left.value, right.value);
    return key && value && types.map(key, value);
  }
  if (left.kind === 'optional' && right.kind === 'optional') {
    const of = join(left.of, right.of);
    return of && types.optional(of);
  }
  return isAssignable(left, right, new Map()) ? left : undefined;
}

/** The type with its parameters replaced; unbound ones can be anything. */
export function bind(type: Type, bindings: Bindings): Type {
  switch (type.kind) {
    case 'param':
      return bindings.get(type.name) ?? types.dyn;
    case 'list':
      return types.list(bind(type.item, bindings));
    case 'map':
      return types.map(bind(type.key, bindings), bind(type.value, bindings));
    case 'optional':
      return types.optional(bind(type.of, bindings));
    default:
      return type;
  }
}

export const hasDyn = (type: Type): boolean => {
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return true;
    case 'list':
      return hasDyn(type.item);
    case 'map':
      return hasDyn(type.key) || hasDyn(type.value);
    case 'optional':
      return hasDyn(type.of);
    default:
      return false;
  }
};

/** Parses a type in signatures: `list<A>`, `map<string, list<string>>`, `Quantity`. */
export function parseType(text: string): Type {
  const trimmed = text.trim();
  const generic = /^(list|map|optional)<(.+)>$/.exec(trimmed);
  if (generic) {
    const [, kind, inner = ''] = generic;
    const [first = types.dyn, second = types.dyn] = splitTopLevel(inner).map(parseType);
    if (kind === 'map') return types.map(first, second);
    return kind === 'list' ? types.list(first) : types.optional(first);
  }
  if (trimmed in types) return types[trimmed as Simple];
  return /^[A-Z]$/.test(trimmed) ? { kind: 'param', name: trimmed } : types.opaque(trimmed);
}

export function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const [at, char] of [...text].entries()) {
    if (char === '<') depth++;
    else if (char === '>') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  const last = text.slice(from).trim();
  return last === '' ? parts : [...parts, last];
}
