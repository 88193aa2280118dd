import { isJsonObject, type Json, type JsonObject, own } from '@fairlead/apimachinery';

/** Steps into a value: field names and list positions. */
export type Path = readonly (string | number)[];

/** `/spec/replicas` → its steps; undefined when it is not a JSON pointer. */
export function parsePointer(pointer: string): string[] | undefined {
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The paths in a value that a JSON pointer selects. `*` selects every item or field, unless a field has that name. */
export function pathsAt(value: Json, pointer: string): Path[] {
  const steps = parsePointer(pointer);
  if (!steps) return [];
  let found: { readonly path: Path; readonly value: Json }[] = [{ path: [], value }];
  for (const step of steps) found = found.flatMap((here) => below(here.path, here.value, step));
  return found.map(({ path }) => path);
}

function below(path: Path, value: Json, step: string): { path: Path; value: Json }[] {
  if (Array.isArray(value)) {
    if (step === '*') return value.map((item, i) => ({ path: [...path, i], value: item }));
    const i = /^-?\d+$/u.test(step) ? Number(step) : Number.NaN;
    const position = i < 0 ? value.length + i : i;
    const item = value[position];
    return item === undefined ? [] : [{ path: [...path, position], value: item }];
  }
  if (!isJsonObject(value)) return [];
  const field = own(value, step);
  if (field !== undefined) return [{ path: [...path, step], value: field }];
  return step === '*' ? Object.entries(value).map(([name, inner]) => ({ path: [...path, name], value: inner })) : [];
}

/** The value without the paths. An object that becomes empty is removed too, unless it is a list item. */
export function without(value: Json, paths: readonly Path[]): Json {
  if (paths.length === 0) return value;
  const here = new Map<string | number, Path[]>();
  for (const [step, ...rest] of paths) {
    if (step === undefined) continue;
    const under = here.get(step) ?? [];
    here.set(step, under);
    under.push(rest);
  }
  const kept = (inner: Json, step: string | number): Json | undefined => {
    const under = here.get(step);
    if (!under) return inner;
    return under.some((path) => path.length === 0) ? undefined : without(inner, under);
  };
  if (Array.isArray(value)) return value.map(kept).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const left = kept(inner, name);
    return left === undefined || (left !== inner && isEmpty(left)) ? [] : [[name, left] as const];
  });
  return Object.fromEntries(fields);
}

const isEmpty = (value: Json): boolean => isJsonObject(value) && Object.keys(value).length === 0;

const none: JsonObject = {};

/** A copy of `to` with the value of `from` at the path: set, or removed if `from` has none. */
export function copyAt(to: Json | undefined, from: Json | undefined, [step, ...rest]: Path): Json | undefined {
  if (step === undefined) return from;
  if (Array.isArray(to)) {
    const i = Number(step);
    if (!Array.isArray(from) || !(i < to.length) || !(i < from.length)) return to;
    const item = copyAt(to[i], from[i], rest);
    return item === to[i] || item === undefined ? to : to.with(i, item);
  }
  const target = isJsonObject(to) ? to : undefined;
  if (to !== undefined && !target) return to;
  const name = String(step);
  const before = target && own(target, name);
  const value = copyAt(before, isJsonObject(from) ? own(from, name) : undefined, rest);
  if (value === before) return to;
  const { [name]: _, ...others } = target ?? none;
  return value === undefined ? others : { ...others, [name]: value };
}
