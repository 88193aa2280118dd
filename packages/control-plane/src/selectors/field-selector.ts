import type { KubeObject } from '@fairlead/kube';
import { refuse } from '../errors.ts';
import type { Resource } from '../resource.ts';

export interface FieldSelector {
  readonly terms: readonly { readonly field: string; readonly equal: boolean; readonly value: string }[];
  matches(object: KubeObject): boolean;
  /** The one name that `metadata.name=x` leaves, if it does: a list then needs no scan. */
  readonly name?: string;
}

const everything: FieldSelector = { terms: [], matches: () => true };

/** `a=b,c!=d`; `\`, `,` and `=` may be escaped with a backslash. Fields that the kind does not support are refused. */
export function parseFieldSelector(text: string, resource: Resource): FieldSelector {
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
    if (text[at] === '\\') current += text[at]! + (text[++at] ?? '');
    else if (text[at] === ',') {
      parts.push(current);
      current = '';
    } else current += text[at];
  }
  parts.push(current);
  return parts.filter((part) => part !== '');
}

function parseTerm(term: string): { field: string; equal: boolean; value: string } {
  const match = /^([^=!]*)(!=|==|=)(.*)$/s.exec(term);
  if (!match) throw refuse.badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const [, field, operator, raw] = match;
  return { field: field!, equal: operator !== '!=', value: raw!.replace(/\\([\\,=])/g, '$1') };
}

function reader(field: string, resource: Resource): (object: KubeObject) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name;
  if (field === 'metadata.namespace' && (resource.namespaced || !resource.selectable)) {
    return (object) => object.metadata.namespace ?? '';
  }
  const read = resource.selectable?.[field];
  if (read) return read;
  throw refuse.badRequest(unsupported(field, resource));
}

/** Kinds with selectors of their own word the refusal in their own way; we follow them. */
function unsupported(field: string, resource: Resource): string {
  if (!resource.selectable) {
    return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  }
  if (resource.group === 'batch') return `field label ${JSON.stringify(field)} not supported for ${resource.kind}`;
  if (resource.custom) return `field label not supported: ${field}`;
  return `field label not supported: ${field}`;
}
