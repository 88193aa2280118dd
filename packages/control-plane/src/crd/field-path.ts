import type { Structural } from '@fairlead/apimachinery';

/** A path below a schema, in the notation of kube-apiserver, and the schema there. */
export interface FieldPath {
  readonly path: string;
  readonly root: string;
  readonly schema: Structural;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/** Parses `.spec.name` and `.labels['a.b']`; returns a message if it is invalid. */
export function parseFieldPath(text: string, schema: Structural, brackets = true): FieldPath | string {
  let path = '';
  let root = '';
  let at = schema;
  let rest = text;
  while (rest !== '') {
    const step = /^\.(?<field>[^.[\]]+)|^\['(?<key>(?:\\.|[^'\\])*)'\]/.exec(rest);
    if (rest.startsWith('[') && !brackets) return 'array notation is not allowed';
    if (!step) return problemAt(rest);
    const { field, key = '' } = step.groups ?? {};
    const name = field ?? key.replace(/\\(.)/g, (all, char: string) => escapes[char] ?? all);
    const { additional } = at;
    const isNamed = at.properties.size > 0;
    const next = isNamed ? at.properties.get(name) : typeof additional === 'object' ? additional : undefined;
    if (!next) return 'does not refer to a valid field';
    path += isNamed ? (path === '' ? name : `.${name}`) : `[${name}]`;
    root ||= name;
    at = next;
    rest = rest.slice(step[0].length);
  }
  return { path, root, schema: at };
}

function problemAt(rest: string): string {
  if (rest === '.' || rest === '[') return 'unexpected end of JSON path';
  return rest.startsWith('[')
    ? `expected single quoted string but got ${rest.slice(1)}`
    : `expected [ or . but got: ${rest.replace(/[.[\]].*$/s, '')}`;
}
