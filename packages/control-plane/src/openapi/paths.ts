import { type JsonObject, must, typeNameOf } from '@fairlead/apimachinery';
import { type Listed, listResource } from '../discovery/listed.ts';
import type { Resource, Subresource } from '../resource.ts';
import { customDefinitions } from './custom-definition.ts';
import type { Definitions } from './definitions.ts';
import { type Method, type Operation, pathItem, type Subject } from './operations.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const patchTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
const strategic = 'application/strategic-merge-patch+json';

interface Types {
  readonly object: JsonObject;
  readonly list: JsonObject;
}

/** The paths of one resource: its collections, its objects, and their subresources. */
export function resourcePaths(resource: Resource, definitions: Definitions): JsonObject {
  const listed = listResource(resource);
  const types = resource.custom ? customDefinitions(resource, definitions) : builtinTypes(resource, definitions);
  const all = new Map<string, Operation[]>();
  const { namespaced, plural, group, version, kind } = resource;
  const root = rootOf(group, version);
  const within = namespaced ? `${root}/namespaces/{namespace}` : root;
  const make = maker(listed, types, definitions);

  const collection = ['list', 'create', 'deletecollection'].filter((verb) => listed.verbs.includes(verb));
  add(
    all,
    `${within}/${plural}`,
    collection.map((verb) => make(verb, { group, version, kind }, scopeOf(namespaced))),
  );
  const item = ['get', 'update', 'patch', 'delete'].filter((verb) => listed.verbs.includes(verb));
  add(
    all,
    `${within}/${plural}/{name}`,
    item.map((verb) => make(verb, { group, version, kind }, scopeOf(namespaced))),
  );
  if (namespaced && listed.verbs.includes('list')) {
    const everywhere = make('list', { group, version, kind }, '');
    add(all, `${root}/${plural}`, [{ ...everywhere, id: `${everywhere.id}ForAllNamespaces` }]);
  }
  for (const part of listed.subresources) {
    const made = part.verbs.map((verb) => subresource(verb, part, listed, types, definitions));
    add(all, `${within}/${plural}/{name}/${part.name}`, made);
  }
  return Object.fromEntries([...all].map(([path, each]) => [path, pathItem(path, each, resource.custom === true)]));
}

/** The path of a review: only a create. */
export function reviewPaths(
  review: { group: string; version: string; kind: string; plural: string; namespaced: boolean },
  definitions: Definitions,
): JsonObject {
  const { group, version, kind, plural, namespaced } = review;
  const name = typeNameOf(group, version, kind);
  if (!name) return {};
  const object = definitions.ref(name);
  const root = rootOf(group, version);
  const path = `${namespaced ? `${root}/namespaces/{namespace}` : root}/${plural}`;
  const operation: Operation = {
    method: 'post',
    action: 'post',
    id: `create${camel(group, version)}${scopeOf(namespaced)}${kind}`,
    description: `Create a ${kind}.`,
    subject: { group, version, kind },
    body: object,
    answer: object,
    tag: tagOf(group, version),
  };
  return { [path]: pathItem(path, [operation], false) };
}

export const rootOf = (group: string, version: string): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

export const tagOf = (group: string, version: string): string =>
  `${group === '' ? 'core' : group.replace(/\.k8s\.io$/, '').replaceAll('.', '_')}_${version}`;

function builtinTypes({ group, version, kind, listKind }: Resource, definitions: Definitions): Types {
  const refTo = (name: string) => definitions.ref(must(typeNameOf(group, version, name), `the type of ${name}`));
  return { object: refTo(kind), list: refTo(listKind) };
}

function add(paths: Map<string, Operation[]>, path: string, operations: Operation[]): void {
  if (operations.length) paths.set(path, operations);
}

const scopeOf = (namespaced: boolean): string => (namespaced ? 'Namespaced' : '');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const camel = (group: string, version: string): string =>
  [...(group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split(/[.-]/)), version].map(capital).join('');

const verbs: Readonly<Record<string, { method: Method; action: string; word: string }>> = {
  get: { method: 'get', action: 'get', word: 'read' },
  list: { method: 'get', action: 'list', word: 'list' },
  create: { method: 'post', action: 'post', word: 'create' },
  update: { method: 'put', action: 'put', word: 'replace' },
  patch: { method: 'patch', action: 'patch', word: 'patch' },
  delete: { method: 'delete', action: 'delete', word: 'delete' },
  deletecollection: { method: 'delete', action: 'deletecollection', word: 'delete' },
};

function maker(listed: Listed, types: Types, definitions: Definitions) {
  const status = definitions.ref(`${meta}.Status`);
  return (verb: string, subject: Subject, scope: string, part = ''): Operation => {
    const { method, action, word } = must(verbs[verb], `the verb ${verb}`);
    const deletes = method === 'delete';
    const collection = verb === 'deletecollection' ? 'Collection' : '';
    return {
      method,
      action,
      id: `${word}${camel(listed.group, listed.version)}${collection}${scope}${listed.kind}${part}`,
      description: `${capital(word)} ${verb === 'list' || collection ? 'objects of kind' : 'a'} ${listed.kind}.`,
      subject,
      tag: tagOf(listed.group, listed.version),
      answer: verb === 'list' ? types.list : deletes ? status : types.object,
      body:
        verb === 'create' || verb === 'update'
          ? types.object
          : verb === 'patch'
            ? definitions.ref(`${meta}.Patch`)
            : deletes
              ? definitions.ref(`${meta}.DeleteOptions`)
              : undefined,
      ...(verb === 'patch' ? { patchTypes: listed.custom ? patchTypes : [...patchTypes, strategic] } : {}),
    };
  };
}

/** Subresources with a separate type use it; those that connect to something (exec, proxy …) have no schema. */
function subresource(
  verb: string,
  part: Subresource,
  listed: Listed,
  types: Types,
  definitions: Definitions,
): Operation {
  const subject = {
    group: part.group ?? listed.group,
    version: part.version ?? listed.version,
    kind: part.kind,
  };
  const own = part.kind === listed.kind;
  const name = own ? undefined : typeNameOf(subject.group, subject.version, part.kind);
  const connects = part.kind.endsWith('Options') || part.name === 'log';
  const object = own ? types.object : name && !connects ? definitions.ref(name) : undefined;
  const made = maker(listed, { object: object ?? types.object, list: types.list }, definitions)(
    verb,
    subject,
    scopeOf(listed.namespaced),
    capital(part.name),
  );
  if (!connects) return made;
  const action = part.name === 'log' ? 'get' : 'connect';
  return { ...made, action, body: undefined, answer: { type: 'string' } };
}
