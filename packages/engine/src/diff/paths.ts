import { isJsonObject, type Json, type JsonObject } from '@fairlead/apimachinery';
import { own } from './merge.ts';

/** Steps into a value: names of fields and places in lists. */
export type Path = readonly (string | number)[];

/** `/spec/replicas` → its steps; undefined when it is no JSON pointer. */
export function parsePointer(pointer: string): string[] | undefined {
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What a JSON pointer names in a value. `*` stands for every item or field, where there is no field of that very name. */
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
    const place = i < 0 ? value.length + i : i;
    return place in value ? [{ path: [...path, place], value: value[place]! }] : [];
  }
  if (!isJsonObject(value)) return [];
  if (Object.hasOwn(value, step)) return [{ path: [...path, step], value: value[step]! }];
  return step === '*' ? Object.entries(value).map(([name, inner]) => ({ path: [...path, name], value: inner })) : [];
}

/** The value without what the paths name. Items of a list close up; an object that is left empty goes too, unless it is such an item. */
export function without<T extends Json>(value: T, paths: readonly Path[]): T {
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
  if (Array.isArray(value)) return value.map(kept).filter((item) => item !== undefined) as T;
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const left = kept(inner, name);
    return left === undefined || (left !== inner && isEmpty(left)) ? [] : [[name, left] as const];
  });
  return Object.fromEntries(fields) as T;
}

const isEmpty = (value: Json): boolean => isJsonObject(value) && Object.keys(value).length === 0;

/** A value with what is at the path in another: set, or taken away where the other has nothing there. */
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
  const { [name]: _, ...others } = target ?? ({} as JsonObject);
  return value === undefined ? others : { ...others, [name]: value };
}
