import {
  copyJson,
  equalJson,
  isObject,
  isTooDeep,
  type Json,
  type JsonObject,
  maxDepth,
  own,
  put,
} from '../json/json-value.ts';
import { type ApiError, apiError } from '../meta/api-error.ts';

/**
 * JSON Patch (RFC 6902) with the deviations of the library that kube-apiserver uses, on which clients rely: replacing a missing key adds
 * it, testing a missing key against null succeeds, copying one gives null, and negative indices count from the end. Only the path of an
 * operation and the operation itself are checked; every error is the same 422 without details.
 */
export interface Operation {
  readonly [member: string]: Json;
}

export const maxOperations = 10_000;
/** The total size that `copy` may add, as JSON text: without it thirty operations create a gigabyte. */
const maxCopied = 3 * 1024 * 1024;
/** The total number of items that insertions and removals in lists may move. */
const maxShifted = 100_000_000;

export function jsonPatch(document: JsonObject, operations: readonly Operation[]): Json {
  if (operations.length > maxOperations) {
    throw apiError(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    );
  }
  const patching = new Patching(document);
  for (const operation of operations) patching.run(operation);
  if (isTooDeep(patching.root)) throw rejected();
  return patching.root;
}

const rejected = (): ApiError =>
  apiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

/** The target of an operation: a container that may be changed, and the key in it. */
type Location =
  | { readonly container: JsonObject; readonly key: string }
  | { readonly list: Json[]; readonly key: string };

class Patching {
  root: JsonObject | Json[];
  /** Containers that are already copied and may be changed: all others belong to the document or the patch. */
  readonly #owned = new Set<Json>();
  #copied = 0;
  #shifted = 0;

  constructor(document: JsonObject) {
    this.root = this.#take(document);
  }

  run(operation: Operation): void {
    switch (isObject(operation) ? own(operation, 'op') : undefined) {
      case 'add':
        this.#add(pathOf(operation, 'path'), valueIn(operation));
        break;
      case 'remove':
        this.#remove(pathOf(operation, 'path'));
        break;
      case 'replace':
        this.#replace(pathOf(operation, 'path'), valueIn(operation));
        break;
      case 'move':
        this.#add(pathOf(operation, 'path'), this.#remove(pathOf(operation, 'from')));
        break;
      case 'copy':
        this.#add(pathOf(operation, 'path'), this.#copyOf(pathOf(operation, 'from')));
        break;
      case 'test':
        this.#test(pathOf(operation, 'path'), valueIn(operation));
        break;
      default:
        throw rejected();
    }
  }

  #copyOf(path: string): Json {
    const value = this.#get(path) ?? null;
    if (isTooDeep(value)) throw rejected();
    this.#copied += JSON.stringify(value).length;
    if (this.#copied > maxCopied) throw rejected();
    return copyJson(value);
  }

  #test(path: string, expected: Json): void {
    const actual = path === '' ? this.root : (this.#get(path) ?? null);
    if (!equalJson(actual, expected)) throw rejected();
  }

  #replace(path: string, value: Json): void {
    if (path === '') {
      if (typeof value !== 'object' || value === null) throw rejected();
      this.root = this.#take(value);
      return;
    }
    const place = this.#find(path);
    if ('list' in place) place.list[existing(place.list, place.key)] = value;
    else put(place.container, place.key, value);
  }

  #add(path: string, value: Json): void {
    const place = this.#find(path);
    if ('list' in place) {
      const size = place.list.length + 1;
      const index = place.key === '-' ? place.list.length : indexOf(place.key, size);
      this.#shift(size - index);
      place.list.splice(index, 0, value);
    } else put(place.container, place.key, value);
  }

  #remove(path: string): Json {
    const place = this.#find(path);
    if ('list' in place) {
      const index = existing(place.list, place.key);
      this.#shift(place.list.length - index);
      return place.list.splice(index, 1)[0] ?? null;
    }
    const value = own(place.container, place.key);
    if (value === undefined) throw rejected();
    delete place.container[place.key];
    return value;
  }

  #get(path: string): Json | undefined {
    const place = this.#find(path);
    return 'list' in place ? place.list[existing(place.list, place.key)] : own(place.container, place.key);
  }

  /** Text before the first slash is ignored, as in the library. */
  #find(path: string): Location {
    const parts = path.split('/');
    const key = parts.pop();
    if (key === undefined || parts.length === 0 || parts.length > maxDepth) throw rejected();
    let at: JsonObject | Json[] = this.root;
    for (const part of parts.slice(1)) at = this.#descend(at, unescaped(part));
    return Array.isArray(at) ? { list: at, key: unescaped(key) } : { container: at, key: unescaped(key) };
  }

  #descend(from: JsonObject | Json[], key: string): JsonObject | Json[] {
    const index = Array.isArray(from) ? existing(from, key) : undefined;
    const child = Array.isArray(from) ? from[index ?? 0] : own(from, key);
    if (typeof child !== 'object' || child === null) throw rejected();
    if (this.#owned.has(child)) return child;
    const taken = this.#take(child);
    if (Array.isArray(from)) from[index ?? 0] = taken;
    else put(from, key, taken);
    return taken;
  }

  /** A container on the path of an operation gets sorted keys, as Go writes maps. */
  #take(container: JsonObject | Json[]): JsonObject | Json[] {
    let taken: JsonObject | Json[];
    if (Array.isArray(container)) taken = [...container];
    else {
      taken = {};
      for (const key of Object.keys(container).sort()) put(taken, key, container[key] ?? null);
    }
    this.#owned.add(taken);
    return taken;
  }

  #shift(items: number): void {
    this.#shifted += items;
    if (this.#shifted > maxShifted) throw rejected();
  }
}

function pathOf(operation: Operation, member: 'path' | 'from'): string {
  const path = own(operation, member);
  if (typeof path !== 'string') throw rejected();
  return path;
}

const valueIn = (operation: Operation): Json => own(operation, 'value') ?? null;

/** `~1` and `~0` in one pass, so that `~01` is `~1`. */
const unescaped = (part: string): string => part.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~'));

const existing = (list: readonly Json[], key: string): number => indexOf(key, list.length);

function indexOf(key: string, size: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw rejected();
  const index = Number(key);
  if (index >= size || index < -size) throw rejected();
  return index < 0 ? index + size : index;
}
