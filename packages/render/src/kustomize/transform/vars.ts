import { formatFloat } from '../../go-json/format-float.ts';
import type { FieldSpec } from '../config/field-spec.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { lookup } from '../node/lookup.ts';
import { isPresent, isText, type Node } from '../node/node.ts';
import { nodeValue } from '../node/node-value.ts';
import { splitBracketedPath } from '../node/path.ts';
import { type Gvk, gvkText, parseApiVersion, type ResId, sameGvkAndName, sameId } from '../resource/res-id.ts';
import type { ResMap } from '../resource/res-map.ts';
import type { Resource } from '../resource/resource.ts';
import { applyFieldSpec } from './field-spec-filter.ts';

export interface Var {
  readonly name: string;
  readonly objref: {
    readonly apiVersion?: string;
    readonly group?: string;
    readonly version?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly fieldref?: { readonly fieldPath?: string };
}

/** Records at each object which vars take their value from it. */
export function attachVars(map: ResMap, vars: readonly Var[]): void {
  for (const variable of vars) {
    const target = targetOf(variable);
    const matched = map.byAnyId((id) => (target.namespace === '' ? sameGvkAndName(target, id) : sameId(target, id)));
    if (matched.length > 1)
      throw new KustomizeError(
        `merging vars [${vars.map((one) => varText(one)).join(' ')}]: found ${matched.length} resId matches for var ${varText(variable, target)} (unable to disambiguate)`,
      );
    matched[0]?.refVarNames.push(variable.name);
  }
}

/** As Go prints it. */
const varText = ({ name, objref, fieldref }: Var, target: Partial<Gvk> = objref): string =>
  `{${name} ${gvkText({ group: '', version: '', kind: '', ...target })} {${fieldref?.fieldPath ?? 'metadata.name'}}}`;

function targetOf({ objref }: Var): ResId {
  const { apiVersion = '', kind = '', name = '', namespace = '' } = objref;
  const given = { group: objref.group ?? '', version: objref.version ?? '' };
  const gv =
    apiVersion === ''
      ? given
      : apiVersion.includes('/')
        ? parseApiVersion(apiVersion)
        : { ...given, version: apiVersion };
  return { ...gv, kind, name, namespace, clusterScoped: false };
}

/** A value that a var can have: text, integer, float or boolean. Others leave `$(NAME)` unchanged. */
type VarValue = string | bigint | number | boolean | undefined;
const isVarValue = (value: unknown): value is VarValue =>
  ['string', 'bigint', 'number', 'boolean'].includes(typeof value);

/** Replaces `$(NAME)` in all fields that support vars. */
export function resolveVars(map: ResMap, vars: readonly Var[], specs: readonly FieldSpec[]): void {
  if (vars.length === 0) return;
  const values = new Map<string, VarValue>();
  for (const variable of [...vars].sort((a, b) => (a.name < b.name ? -1 : 1)))
    values.set(variable.name, sourceValue(map, variable));
  for (const resource of map.resources)
    for (const spec of specs) applyFieldSpec(resource, spec, { set: (node) => expandNode(node, values) });
}

function sourceValue(map: ResMap, variable: Var): VarValue {
  const source = map.resources.find(({ refVarNames }) => refVarNames.includes(variable.name));
  if (!source)
    throw new KustomizeError(`var '${variable.name}' cannot be mapped to a field in the set of known resources`);
  return fieldValue(source, variable.fieldref?.fieldPath || 'metadata.name', variable.name);
}

function fieldValue(source: Resource, path: string, name: string): VarValue {
  const parts = splitBracketedPath(path, '.').flatMap((part) => {
    const [, name = '', index = ''] = /^(.*)\[(\d+)\]$/u.exec(part) ?? [];
    if (index === '') return [part];
    return name === '' ? [index] : [name, index];
  });
  const node = lookup(source.root, parts);
  if (!node) throw new KustomizeError(`field specified in var '${name}' not found in corresponding resource`);
  if (node.kind !== 'scalar') return undefined;
  const value = node.tag === '!!int' || node.tag === '!!float' || node.tag === '!!bool' ? nodeValue(node) : node.value;
  return node.tag === '!!int' && typeof value === 'number' ? BigInt(value) : isVarValue(value) ? value : undefined;
}

function expandNode(node: Node, values: ReadonlyMap<string, VarValue>): void {
  if (!isPresent(node)) return;
  if (node.kind === 'scalar') {
    if (isText(node)) update(node, values);
  } else if (node.kind === 'map') {
    for (const { key, value } of node.entries) {
      if (!isText(key)) throw new KustomizeError(`invalid map key: value='${key.value}', tag='${key.tag}'`);
      if (isText(value)) update(value, values);
    }
  } else {
    for (const item of node.items) {
      if (!isText(item)) throw new KustomizeError('invalid value type expect a string');
      update(item, values);
    }
  }
}

function update(node: Node, values: ReadonlyMap<string, VarValue>): void {
  const value = expand(node.value, values);
  node.tagged = false;
  node.style = 'plain';
  node.value = typeof value === 'number' ? decimal(value) : String(value);
  node.tag = tags[typeof value] ?? '!!str';
}

const tags: Readonly<Record<string, string>> = { boolean: '!!bool', bigint: '!!int', number: '!!float' };
const decimal = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? formatFloat(value) : text;
};

/** Text that is a single reference gets the type of the value. `$$` is a dollar. */
function expand(text: string, values: ReadonlyMap<string, VarValue>): VarValue {
  const lone = /^\$\(([^)]*)\)$/u.exec(text)?.[1];
  if (lone !== undefined) return values.get(lone) ?? text;
  return text.replace(/\$(?:\$|\(([^)]*)\))/gu, (reference, name?: string) => {
    if (name === undefined) return '$';
    const value = values.get(name);
    if (value === undefined) return reference;
    return typeof value === 'number' ? formatFloat(value) : String(value);
  });
}
