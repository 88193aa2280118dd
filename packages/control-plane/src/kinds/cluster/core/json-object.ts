import type { Json } from '@fairlead/kube';
import { goJsonKind } from '../../../patch/go-format.ts';

/** Why a text is no JSON object, in the words of Go's decoder; undefined when it is one (or null). */
export function jsonObjectProblem(text: string): string | undefined {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return syntaxProblem(text);
  }
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
  return `json: cannot unmarshal ${goJsonKind(value)} into Go value of type map[string]interface {}`;
}

/** Finds where the text stops being JSON by asking which prefix can still become a value. */
function syntaxProblem(text: string): string {
  const start = text.search(/[^ \t\r\n]/);
  if (start < 0) return 'unexpected end of JSON input';
  const first = text[start]!;
  if (!/[[{"\d\-tfn]/.test(first)) return `invalid character '${first}' looking for beginning of value`;
  const at = offendingPosition(text);
  if (at === undefined) return 'unexpected end of JSON input';
  return `invalid character '${text[at]}' ${placeOf(text, at)}`;
}

function offendingPosition(text: string): number | undefined {
  const position = /at position (\d+)/.exec(messageOf(text));
  if (!position) return undefined;
  const at = Number(position[1]);
  return at < text.length ? at : undefined;
}

function messageOf(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

/** What the decoder was waiting for, told from the last token before the offending character. */
function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).trimEnd();
  const last = before.at(-1) ?? '';
  if (last === '{') return 'looking for beginning of object key string';
  if (last === ':' || last === '[') return 'looking for beginning of value';
  const open = innermostBracket(before);
  if (last === ',') {
    return open === '{' ? 'looking for beginning of object key string' : 'looking for beginning of value';
  }
  if (open === '[') return 'after array element';
  if (open !== '{') return 'after top-level value';
  return /(^|[{,])\s*"(?:[^"\\]|\\.)*"$/.test(before) ? 'after object key' : 'after object key:value pair';
}

function innermostBracket(text: string): string | undefined {
  const open: string[] = [];
  for (const token of text.match(/"(?:[^"\\]|\\.)*"|[[\]{}]/g) ?? []) {
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
  }
  return open.at(-1);
}
