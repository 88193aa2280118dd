import { isDeepStrictEqual } from 'node:util';
import { setKey } from '../../go-yaml/decode.ts';
import { readYaml } from '../../go-yaml/read-yaml.ts';
import { messageOf } from '../../util/errors.ts';
import { isRecord } from '../../util/guards.ts';
import { KustomizeError } from '../kustomize-error.ts';

/** An operation as written: its fields may be of any type until it is applied. */
export interface PatchOperation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

/** Operations in JSON or YAML. Text that starts with a bracket must be JSON. */
export function readJsonPatch(text: string): PatchOperation[] {
  if (text.startsWith('[')) checkJson(text);
  const value = readYaml(text);
  if (!Array.isArray(value) || !value.every(isRecord))
    throw new KustomizeError('json: cannot unmarshal into a patch: expected a list of operations');
  return value;
}

function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new KustomizeError(`not valid JSON: ${messageOf(error)}`);
  }
}

/** Applies RFC 6902 operations to a value, as evanphx/json-patch does: negative indexes count from the end. */
export function applyJsonPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  let root = structuredClone(document);
  for (const operation of operations) root = apply(root, operation);
  return root;
}

function apply(root: unknown, { op, path, from: written, value }: PatchOperation): unknown {
  const from = typeof written === 'string' ? written : '';
  if (typeof path !== 'string') throw new KustomizeError(`${op} operation failed to decode path`);
  switch (op) {
    case 'add':
      add(locate(root, path, op), clone(value), path);
      return root;
    case 'replace':
      if (path === '') return clone(value);
      replace(locate(root, path, op), clone(value), path);
      return root;
    case 'remove':
      remove(locate(root, path, op), path);
      return root;
    case 'copy': {
      const copied = structuredClone(get(locate(root, from, op), from));
      add(locate(root, path, op), copied ?? null, path);
      return root;
    }
    case 'move': {
      const source = locate(root, from, op);
      const moved = get(source, from);
      remove(source, from);
      add(locate(root, path, op), moved, path);
      return root;
    }
    case 'test': {
      const found = path === '' ? root : get(locate(root, path, op), path);
      if (!isDeepStrictEqual(found ?? null, value ?? null))
        throw new KustomizeError(`testing value ${path} failed: test failed`);
      return root;
    }
    default:
      throw new KustomizeError(`Unexpected kind: ${String(op)}`);
  }
}

const clone = (value: unknown): unknown => structuredClone(value ?? null);

/** A key or an index, and its container. */
interface Location {
  readonly container: Record<string, unknown> | unknown[];
  readonly token: string;
}

function locate(root: unknown, path: string, op: string): Location {
  const tokens = path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const token = tokens.pop();
  let at = token === undefined ? undefined : root;
  for (const part of tokens) at = isContainer(at) ? childOf(at, part) : undefined;
  if (!isContainer(at) || token === undefined)
    throw new KustomizeError(`${op} operation does not apply: doc is missing path: "${path}": missing value`);
  return { container: at, token };
}

const isContainer = (value: unknown): value is Location['container'] => typeof value === 'object' && value !== null;

const childOf = (container: Location['container'], token: string): unknown => {
  if (Array.isArray(container)) return container[indexOf(container.length, token) ?? -1];
  return Object.hasOwn(container, token) ? container[token] : undefined;
};

/** Negative indexes count from the end. */
function indexOf(length: number, token: string): number | undefined {
  if (!/^[+-]?\d+$/u.test(token)) return undefined;
  const index = Number(token) < 0 ? Number(token) + length : Number(token);
  return index >= 0 && index < length ? index : undefined;
}

function demandIndex(length: number, token: string, path: string): number {
  const index = indexOf(length, token);
  if (index === undefined) throw new KustomizeError(`Unable to access invalid index: ${token}: ${path}`);
  return index;
}

/** Undefined for a missing key; an error for a missing index. */
function get({ container, token }: Location, path: string): unknown {
  if (Array.isArray(container)) return container[demandIndex(container.length, token, path)];
  return childOf(container, token);
}

function remove({ container, token }: Location, path: string): void {
  if (Array.isArray(container)) container.splice(demandIndex(container.length, token, path), 1);
  else if (Object.hasOwn(container, token)) delete container[token];
  else
    throw new KustomizeError(
      `error in remove for path: '${path}': Unable to remove nonexistent key: ${token}: missing value`,
    );
}

/** The key may be missing. */
function replace({ container, token }: Location, value: unknown, path: string): void {
  if (Array.isArray(container)) container[demandIndex(container.length, token, path)] = value;
  else setKey(container, token, value);
}

function add({ container, token }: Location, value: unknown, path: string): void {
  if (!Array.isArray(container)) return setKey(container, token, value);
  const at = token === '-' ? container.length : demandIndex(container.length + 1, token, path);
  container.splice(at, 0, value);
}
