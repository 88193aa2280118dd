import { badRequest } from '../meta/api-error.ts';
import type { KubeObject } from '../meta/object.ts';

/** The properties of a resource that a field selector needs. */
export interface SelectableResource {
  readonly group: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly custom?: boolean;
  /** Fields in addition to metadata.name and metadata.namespace, each with its value as text. */
  readonly selectable?: Readonly<Record<string, (object: KubeObject) => string>>;
}

export interface FieldSelector {
  readonly terms: readonly { readonly field: string; readonly equal: boolean; readonly value: string }[];
  matches(object: KubeObject): boolean;
  /** The only name that `metadata.name=x` selects, if any: a list then needs no scan. */
  readonly name?: string;
}

const everything: FieldSelector = { terms: [], matches: () => true };

/** `a=b,c!=d`; `\`, `,` and `=` may be escaped with a backslash. Fields that the kind does not support are refused. */
export function parseFieldSelector(text: string, resource: SelectableResource): FieldSelector {
  const terms = split(text).map(parseTerm);
  if (terms.length === 0) return everything;
  const tests = terms.map(({ field, equal, value }) => {
    const read = reader(field, resource);
    return (object: KubeObject) => (read(object) === value) === equal;
  });
  const name = terms.find((term) => term.field === 'metadata.name' && term.equal)?.value;
  return {
    terms,
    matches: (object) => tests.every((test) => test(object)),
    ...(name !== undefined ? { name } : {}),
  };
}

function split(text: string): string[] {
  const parts: string[] = [];
  let current = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') {
      current += text.slice(at, at + 2);
      at += 1;
    } else if (text[at] === ',') {
      parts.push(current);
      current = '';
    } else current += text[at];
  }
  parts.push(current);
  return parts.filter((part) => part !== '');
}

function parseTerm(term: string): { field: string; equal: boolean; value: string } {
  const match = /^([^=!]*)(!=|==|=)(.*)$/s.exec(term);
  if (!match) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const [, field = '', operator, raw = ''] = match;
  return { field, equal: operator !== '!=', value: raw.replace(/\\([\\,=])/g, '$1') };
}

function reader(field: string, resource: SelectableResource): (object: KubeObject) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name;
  if (field === 'metadata.namespace' && (resource.namespaced || !resource.selectable)) {
    return (object) => object.metadata.namespace ?? '';
  }
  const read = resource.selectable?.[field];
  if (read) return read;
  throw badRequest(unsupported(field, resource));
}

/** Kinds with custom selectors have a different message. */
function unsupported(field: string, resource: SelectableResource): string {
  if (!resource.selectable) {
    return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  }
  if (resource.group === 'batch') return `field label ${JSON.stringify(field)} not supported for ${resource.kind}`;
  if (resource.custom) return `field label not supported: ${field}`;
  return `field label not supported: ${field}`;
}
