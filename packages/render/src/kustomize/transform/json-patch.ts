import { isDeepStrictEqual } from 'node:util';
import { readYaml } from '../../go-yaml/read-yaml.ts';
import { KustomizeError } from '../kustomize-error.ts';

export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Operations in JSON or YAML. */
export function readJsonPatch(text: string): PatchOperation[] {
  const value = readYaml(text);
  if (!Array.isArray(value) || !value.every((it) => typeof it === 'object' && it !== null && !Array.isArray(it)))
    throw new KustomizeError('json: cannot unmarshal into a patch: expected a list of operations');
  return value as PatchOperation[];
}

type Container = Record<string, unknown> | unknown[];

/** Applies RFC 6902 operations to a value, as evanphx/json-patch does: negative indexes count from the end. */
export function applyJsonPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  let root = structuredClone(document);
  for (const operation of operations) root = apply(root, operation);
  return root;
}

function apply(root: unknown, operation: PatchOperation): unknown {
  const { op, path } = operation;
  if (typeof path !== 'string') throw failed(op, '', 'missing path');
  switch (op) {
    case 'add':
      return put(root, path, clone(operation.value), op);
    case 'replace':
      if (path === '') return clone(operation.value);
      demandExisting(root, path, op);
      return put(root, path, clone(operation.value), op);
    case 'remove':
      return remove(root, path, op);
    case 'copy':
      return put(root, path, structuredClone(get(root, operation.from ?? '', op)), op);
    case 'move': {
      const from = operation.from ?? '';
      const value = get(root, from, op);
      return put(remove(root, from, op), path, value, op);
    }
    case 'test': {
      const value = has(root, path) ? get(root, path, op) : undefined;
      if (!isDeepStrictEqual(value ?? null, operation.value ?? null))
        throw new KustomizeError(`testing value ${path} failed: test failed`);
      return root;
    }
    default:
      throw new KustomizeError(`Unexpected kind: ${String(op)}`);
  }
}

const clone = (value: unknown): unknown => structuredClone(value ?? null);
const failed = (op: string, path: string, why: string): KustomizeError =>
  new KustomizeError(`${op} operation does not apply: doc is missing path: "${path}": ${why}`);

const tokens = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

function parentOf(root: unknown, path: string, op: string): { parent: Container; token: string } {
  const parts = tokens(path);
  const token = parts.pop() ?? '';
  let at = root;
  for (const part of parts) at = child(at, part);
  if (typeof at !== 'object' || at === null) throw failed(op, path, 'missing value');
  return { parent: at as Container, token };
}

function child(container: unknown, token: string): unknown {
  if (Array.isArray(container)) {
    const index = indexIn(container, token);
    return index === undefined ? undefined : container[index];
  }
  if (typeof container !== 'object' || container === null || !Object.hasOwn(container, token)) return undefined;
  return (container as Record<string, unknown>)[token];
}

/** Of an element that is there; undefined otherwise. */
function indexIn(list: readonly unknown[], token: string): number | undefined {
  if (!/^-?\d+$/u.test(token)) return undefined;
  const index = Number(token) < 0 ? Number(token) + list.length : Number(token);
  return index >= 0 && index < list.length ? index : undefined;
}

function has(root: unknown, path: string): boolean {
  if (path === '') return true;
  const parts = tokens(path);
  const token = parts.pop()!;
  let at = root;
  for (const part of parts) at = child(at, part);
  if (Array.isArray(at)) return indexIn(at, token) !== undefined;
  return typeof at === 'object' && at !== null && Object.hasOwn(at, token);
}

function demandExisting(root: unknown, path: string, op: string): void {
  if (!has(root, path)) throw failed(op, path, 'missing value');
}

function get(root: unknown, path: string, op: string): unknown {
  if (path === '') return root;
  demandExisting(root, path, op);
  const { parent, token } = parentOf(root, path, op);
  return child(parent, token);
}

function remove(root: unknown, path: string, op: string): unknown {
  demandExisting(root, path, op);
  const { parent, token } = parentOf(root, path, op);
  if (Array.isArray(parent)) parent.splice(indexIn(parent, token)!, 1);
  else delete parent[token];
  return root;
}

function put(root: unknown, path: string, value: unknown, op: string): unknown {
  if (path === '') return value;
  const { parent, token } = parentOf(root, path, op);
  if (!Array.isArray(parent)) {
    Object.defineProperty(parent, token, { value, enumerable: true, configurable: true, writable: true });
    return root;
  }
  if (op === 'replace') {
    parent[indexIn(parent, token)!] = value;
    return root;
  }
  if (token !== '-' && !/^-?\d+$/u.test(token)) throw failed(op, path, 'invalid array index');
  let index = token === '-' ? parent.length : Number(token);
  if (index < 0) index += parent.length + 1;
  if (index < 0 || index > parent.length) throw failed(op, path, 'Unable to access invalid index');
  parent.splice(index, 0, value);
  return root;
}
