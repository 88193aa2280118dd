import { isObject, type Json, own } from './json-value.ts';

type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'slice'; readonly from: number; readonly to: number | undefined }
  | { readonly kind: 'all' }
  | { readonly kind: 'descend' }
  | { readonly kind: 'filter'; readonly left: readonly Step[]; readonly operator: string; readonly right: Operand };

type Operand = { readonly path: readonly Step[] } | { readonly value: Json };

/** A path into a JSON value; returns every matching value. */
export type JsonPath = (root: unknown) => Json[];

/** The JSONPath of Kubernetes, as in printer columns and `kubectl -o jsonpath`. Undefined if the text is not such a path. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps = parseSteps(text.trim());
  return steps && ((root) => (isObject(root) ? follow(root, steps) : []));
}

function parseSteps(text: string): Step[] | undefined {
  const steps: Step[] = [];
  let rest = text.replace(/^[$@]/, '');
  while (rest !== '') {
    const next = parseStep(rest);
    if (!next) return undefined;
    if (next.step) steps.push(next.step);
    rest = rest.slice(next.length);
  }
  return steps;
}

const unescaped = (text = ''): string => text.replace(/\\(.)/g, '$1');

function parseStep(text: string): { step?: Step; length: number } | undefined {
  if (text.startsWith('[?(')) return parseFilter(text);
  if (text.startsWith('..')) return { step: { kind: 'descend' }, length: /^\.\.[\w]/.test(text) ? 1 : 2 };
  if (text === '.') return { length: 1 };
  const field = /^\.((?:\\.|[^.[\s\\])+)/.exec(text);
  if (field) {
    const name = unescaped(field[1]);
    return { step: name === '*' ? { kind: 'all' } : { kind: 'field', name }, length: field[0].length };
  }
  const key = /^\['((?:\\.|[^'\\])*)'\]/.exec(text) ?? /^\["((?:\\.|[^"\\])*)"\]/.exec(text);
  if (key) return { step: { kind: 'field', name: unescaped(key[1]) }, length: key[0].length };
  if (text.startsWith('[*]')) return { step: { kind: 'all' }, length: 3 };
  const slice = /^\[(-?\d*)(:(-?\d*))?\]/.exec(text);
  if (!slice || (slice[1] === '' && slice[2] === undefined)) return undefined;
  const from = Number(slice[1] || 0);
  const to = slice[2] === undefined ? (from === -1 ? undefined : from + 1) : slice[3] ? Number(slice[3]) : undefined;
  return { step: { kind: 'slice', from, to }, length: slice[0].length };
}

function parseFilter(text: string): { step: Step; length: number } | undefined {
  const end = filterEnd(text);
  if (end < 0) return undefined;
  const body = text.slice(3, end);
  const parts = /^([^!<>=]+)([!<>=]+)(.+)$/s.exec(body);
  const left = parseSteps((parts?.[1] ?? body).trim());
  const right = parts ? parseOperand((parts[3] ?? '').trim()) : { value: null };
  if (!left || !right) return undefined;
  return { step: { kind: 'filter', left, operator: parts?.[2] ?? 'exists', right }, length: end + 2 };
}

/** The position of the `)]` that closes the filter, outside of quotes. */
function filterEnd(text: string): number {
  let quote = '';
  for (let at = 3; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote) {
      if (char === quote && text[at - 1] !== '\\') quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ')' && text[at + 1] === ']') return at;
  }
  return -1;
}

function parseOperand(text: string): Operand | undefined {
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  if (quoted) return { value: unescaped(quoted[2]) };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return { value: Number(text) };
  const path = parseSteps(text);
  return path && { path };
}

function follow(root: Json, steps: readonly Step[]): Json[] {
  let found: Json[] = [root];
  for (const step of steps) found = found.flatMap((value) => take(value, step));
  return found;
}

function fieldOf(value: Json, name: string): Json[] {
  const field = isObject(value) ? own(value, name) : undefined;
  return field === undefined ? [] : [field];
}

function take(value: Json, step: Step): Json[] {
  switch (step.kind) {
    case 'field':
      return fieldOf(value, step.name);
    case 'all':
      return childrenOf(value);
    case 'descend':
      return [value, ...childrenOf(value).flatMap((child) => take(child, step))];
    case 'slice':
      return Array.isArray(value) ? value.slice(step.from, step.to) : [];
    case 'filter':
      return childrenOf(value).filter((item) => matches(item, step));
  }
}

const childrenOf = (value: Json): Json[] =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];

function matches(item: Json, filter: Extract<Step, { kind: 'filter' }>): boolean {
  const left = follow(item, filter.left);
  if (filter.operator === 'exists') return left.length > 0;
  const right = 'path' in filter.right ? follow(item, filter.right.path) : [filter.right.value];
  const [[first], [second]] = [left, right];
  if (first === undefined || second === undefined || left.length + right.length !== 2) return false;
  return compare(first, filter.operator, second);
}

function compare(left: Json, operator: string, right: Json): boolean {
  if (typeof left !== typeof right) return false;
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (left === null || right === null) return false;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return false;
  }
}
