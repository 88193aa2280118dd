import { isObject, type Json, type JsonPath, parseJsonPath } from '@fairlead/apimachinery';
import { CliError } from '../cli-error.ts';

/** A text with values of an object in it. */
export type Template = (root: Json) => string;

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: JsonPath }
  | { readonly kind: 'range'; readonly path: JsonPath; readonly parts: readonly Part[] };

/** Parses a template of `kubectl -o jsonpath`: text, `{.path}`, `{"text"}` and `{range .path}…{end}`. A text without braces is a path. */
export function parseJsonPathTemplate(text: string): Template {
  const pieces =
    (text.includes('{') ? text : `{${text}}`).match(/\{(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^}"'])*\}|[^{]+|\{/gu) ??
    [];
  const { parts, left } = readParts(pieces, text, false);
  if (left.length > 0) throw problem(text, '{end} without {range}');
  return (root) => render(parts, root);
}

function readParts(
  pieces: readonly string[],
  text: string,
  inRange: boolean,
): { parts: Part[]; left: readonly string[] } {
  const parts: Part[] = [];
  let left = pieces;
  while (left.length > 0) {
    const [piece = '', ...rest] = left;
    left = rest;
    if (!piece.startsWith('{')) {
      parts.push({ kind: 'text', text: piece });
      continue;
    }
    if (!piece.endsWith('}')) throw problem(text, 'a { is not closed');
    const inner = piece.slice(1, -1).trim();
    if (inner === 'end') {
      if (inRange) return { parts, left };
      return { parts, left: ['{end}'] };
    }
    const range = /^range\s+(.*)$/su.exec(inner)?.[1];
    const quoted = /^(["'])(.*)\1$/su.exec(inner)?.[2];
    if (range !== undefined) {
      const body = readParts(left, text, true);
      left = body.left;
      parts.push({ kind: 'range', path: pathOf(range, text), parts: body.parts });
    } else if (quoted !== undefined) parts.push({ kind: 'text', text: unescaped(quoted) });
    else parts.push({ kind: 'value', path: pathOf(inner, text) });
  }
  if (inRange) throw problem(text, '{range} without {end}');
  return { parts, left };
}

function pathOf(inner: string, text: string): JsonPath {
  const path = parseJsonPath(/^[$@.[]/u.test(inner) ? inner : `.${inner}`);
  if (!path) throw problem(text, `${inner} is not a path`);
  return path;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const unescaped = (text: string): string => text.replace(/\\(.)/gu, (_, char: string) => escapes[char] ?? char);

const render = (parts: readonly Part[], root: Json): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const values = part.path(root);
      return part.kind === 'value'
        ? values.map(valueText).join(' ')
        : values.map((one) => render(part.parts, one)).join('');
    })
    .join('');

/** As kubectl prints a value: objects and lists as JSON. */
export const valueText = (value: Json): string =>
  isObject(value) || Array.isArray(value) ? JSON.stringify(value) : value === null ? '' : String(value);

const problem = (text: string, why: string): CliError => new CliError(`invalid -o jsonpath=${text}: ${why}`);
