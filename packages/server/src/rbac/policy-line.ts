import { goQuote } from '@fairlead/apimachinery';

/** A policy that cannot be loaded. The message is Argo CD's. */
export class PolicyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PolicyError';
  }
}

/** What Go calls space: unlike JavaScript's, it has U+0085 and not the byte order mark. */
const space = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leadingSpace = new RegExp(`^${space}+`, 'u');
const trailingSpace = new RegExp(`${space}+$`, 'u');

/** Go's `strings.TrimSpace`. */
export const trimSpace = (text: string): string => text.replace(leadingSpace, '').replace(trailingSpace, '');

/**
 * The fields of one line, as Go's CSV reader returns them with `TrimLeadingSpace`: white space before a field is dropped, white space after it
 * belongs to it, and a field that begins with a quote ends with one.
 */
export function readPolicyLine(line: string): string[] {
  const fields: string[] = [];
  let rest = line;
  for (;;) {
    rest = rest.replace(leadingSpace, '');
    const field = rest.startsWith('"') ? quotedField(line, rest) : plainField(line, rest);
    fields.push(field.value);
    if (field.end === rest.length) return fields;
    rest = rest.slice(field.end + 1);
  }
}

interface FieldText {
  readonly value: string;
  /** Where the comma after the field is, or the end of the text. */
  readonly end: number;
}

function plainField(line: string, rest: string): FieldText {
  const comma = rest.indexOf(',');
  const end = comma < 0 ? rest.length : comma;
  const value = rest.slice(0, end);
  const quote = value.indexOf('"');
  if (quote >= 0) throw csvError(line, rest.slice(quote), 'bare " in non-quoted-field');
  return { value, end };
}

function quotedField(line: string, rest: string): FieldText {
  let value = '';
  for (let at = 1; ; ) {
    const quote = rest.indexOf('"', at);
    if (quote < 0) throw csvError(line, '', 'extraneous or missing " in quoted-field');
    value += rest.slice(at, quote);
    const next = rest[quote + 1];
    if (next === undefined || next === ',') return { value, end: quote + 1 };
    if (next !== '"') throw csvError(line, rest.slice(quote), 'extraneous or missing " in quoted-field');
    value += '"';
    at = quote + 2;
  }
}

/** Go counts columns in bytes. */
function csvError(line: string, from: string, problem: string): PolicyError {
  const column = Buffer.byteLength(line) - Buffer.byteLength(from) + 1;
  return new PolicyError(
    `error parsing policy line ${goQuote(line)}: parse error on line 1, column ${column}: ${problem}`,
  );
}
