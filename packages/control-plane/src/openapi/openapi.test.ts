import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, type JsonObject, typeNamed, WireReader } from '@fairlead/apimachinery';
import { builtinResources, builtinReviews } from '../catalogue/builtin-resources.ts';
import type { Resource } from '../resource.ts';
import { closedFields } from './closed-values.ts';
import { createOpenApi } from './openapi.ts';

const builtin = builtinResources({ rules: {}, tables: {} });

const widgets: Resource = {
  group: 'stable.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
  storage: 'stable.example.com/widgets',
  schema: { type: 'object', fields: new Map() },
  openapi: {
    type: 'object',
    description: 'A widget.',
    required: ['spec'],
    properties: {
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        'x-kubernetes-validations': [{ rule: 'true' }],
        properties: {
          size: { type: 'integer', minimum: 1, nullable: true },
          default: { type: 'string' },
          open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  },
  rules: {},
  hasStatus: true,
  scale: { specReplicas: '.spec.size', statusReplicas: '.status.size' },
  hasGeneration: true,
  unconditionalUpdate: false,
  custom: true,
};

function serve(...added: Resource[]) {
  const served = { generation: 0, all: () => [...builtin, ...added], reviews: builtinReviews };
  const answer = createOpenApi(served);
  const read = (path: string): JsonObject => JSON.parse(String(answer(path, {})?.body)) as JsonObject;
  return { served, added, answer, read };
}

/** Follows keys; a key may itself contain slashes and dots. */
const at = (from: Json | undefined, ...keys: string[]): Json | undefined =>
  keys.reduce<Json | undefined>((value, key) => (value as JsonObject | undefined)?.[key], from);

const schemas = (document: JsonObject): JsonObject => at(document, 'components', 'schemas') as JsonObject;
const deployments = '/apis/apps/v1/namespaces/{namespace}/deployments';

test('the index names every group version with a hash that changes with its contents', () => {
  const { served, added, answer, read } = serve();
  assert.equal(answer('/openapi/v3', {})?.headers['content-type'], 'text/plain; charset=utf-8');
  const before = at(read('/openapi/v3'), 'paths') as JsonObject;
  for (const name of ['api/v1', 'apis/apps/v1', 'apis/apps', 'apis/authorization.k8s.io/v1', 'version']) {
    assert.match(
      String(at(before, name, 'serverRelativeURL')),
      new RegExp(`^/openapi/v3/${name}\\?hash=[0-9A-F]{128}$`),
    );
  }
  added.push(widgets);
  served.generation += 1;
  const after = at(read('/openapi/v3'), 'paths') as JsonObject;
  assert.ok(after['apis/stable.example.com/v1']);
  assert.deepEqual(after['apis/apps/v1'], before['apis/apps/v1']);
  added.pop();
  served.generation += 1;
  assert.deepEqual(read('/openapi/v3'), { paths: before });
  assert.equal(answer('/openapi/v3/apis/stable.example.com/v1', {})?.status, 404);
});

test('every reference in a document resolves to one of its definitions', () => {
  const { read } = serve(widgets);
  for (const name of Object.keys(at(read('/openapi/v3'), 'paths') as JsonObject)) {
    const document = read(`/openapi/v3/${name}`);
    const known = schemas(document);
    for (const [, target] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      assert.ok(known[target!], `${name} mentions ${target}`);
    }
  }
  const v2 = read('/openapi/v2');
  for (const [, target] of JSON.stringify(v2).matchAll(/"#\/definitions\/([^"]+)"/g)) {
    assert.ok(at(v2, 'definitions', target!), target);
  }
  assert.equal(JSON.stringify(v2).includes('#/components/'), false);
});

test('a patch has its kind, its types and the parameters that kubectl requires', () => {
  const document = serve().read('/openapi/v3/apis/apps/v1');
  const patch = at(document, 'paths', `${deployments}/{name}`, 'patch') as JsonObject;
  assert.deepEqual(patch['x-kubernetes-group-version-kind'], { group: 'apps', version: 'v1', kind: 'Deployment' });
  assert.deepEqual(
    (patch['parameters'] as JsonObject[]).map((each) => each['name']),
    ['dryRun', 'fieldManager', 'fieldValidation', 'force'],
  );
  assert.deepEqual(Object.keys(at(patch, 'requestBody', 'content') as JsonObject), [
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
  ]);
  assert.equal(patch['operationId'], 'patchAppsV1NamespacedDeployment');
  const scale = at(document, 'paths', `${deployments}/{name}/scale`, 'put', 'x-kubernetes-group-version-kind');
  assert.deepEqual(scale, { group: 'autoscaling', version: 'v1', kind: 'Scale' });
});

test('definitions have the extensions that apply and strategic merge need', () => {
  const known = schemas(serve().read('/openapi/v3/api/v1'));
  const container = at(known, 'io.k8s.api.core.v1.Container') as JsonObject;
  const { description, ...ports } = at(container, 'properties', 'ports') as JsonObject;
  assert.equal(typeof description, 'string');
  assert.deepEqual(ports, {
    type: 'array',
    items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.ContainerPort' }], default: {} },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': 'containerPort',
  });
  assert.deepEqual(container['required'], ['name']);
  assert.equal(at(known, 'io.k8s.api.core.v1.ContainerPort', 'properties', 'protocol', 'default'), 'TCP');
  assert.deepEqual(at(known, 'io.k8s.api.core.v1.Pod', 'x-kubernetes-group-version-kind'), [
    { group: '', version: 'v1', kind: 'Pod' },
  ]);
  assert.deepEqual(at(known, 'io.k8s.api.core.v1.PersistentVolumeSpec', 'properties', 'claimRef'), {
    allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.ObjectReference' }],
    'x-kubernetes-map-type': 'granular',
  });
});

test('a custom resource has its own schema, with the metadata of every object', () => {
  const document = serve(widgets).read('/openapi/v3/apis/stable.example.com/v1');
  const widget = schemas(document)['com.example.stable.v1.Widget'] as JsonObject;
  assert.equal(widget['description'], 'A widget.');
  assert.deepEqual(widget['required'], ['spec']);
  assert.equal(at(widget, 'properties', 'spec', 'properties', 'size', 'minimum'), 1);
  assert.deepEqual(at(widget, 'properties', 'metadata', 'allOf'), [
    { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
  ]);
  const path = '/apis/stable.example.com/v1/namespaces/{namespace}/widgets/{name}';
  const types = Object.keys(at(document, 'paths', path, 'patch', 'requestBody', 'content') as JsonObject);
  assert.equal(types.includes('application/strategic-merge-patch+json'), false);
  assert.ok(at(document, 'paths', `${path}/status`, 'patch') && at(document, 'paths', `${path}/scale`, 'get'));
});

test('version 2 omits unsupported keywords, but not fields of the same name', () => {
  const widget = at(serve(widgets).read('/openapi/v2'), 'definitions', 'com.example.stable.v1.Widget') as JsonObject;
  assert.deepEqual(at(widget, 'properties', 'spec', 'properties'), {
    size: { type: 'integer', minimum: 1 },
    default: { type: 'string' },
    open: { 'x-kubernetes-preserve-unknown-fields': true },
  });
  assert.equal(
    at(widget, 'properties', 'metadata', '$ref'),
    '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  );
});

test('clients that accept only protobuf get version 2 as protobuf, and 406 for version 3', () => {
  const { answer } = serve();
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const sent = answer('/openapi/v2', { accept });
  assert.equal(sent?.headers['content-type'], 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
  assert.ok(definitionNames(sent.body as Buffer).includes('io.k8s.api.core.v1.Pod'));
  assert.equal(answer('/openapi/v3/api/v1', { accept: accept.replaceAll('v2@', 'v3@') })?.status, 406);
  assert.equal(answer('/openapi/v2', { accept: 'text/html' })?.status, 406);
});

test('a document that the client has cached is not sent again', () => {
  const { answer } = serve();
  for (const path of ['/openapi/v3', '/openapi/v3/api/v1', '/openapi/v2']) {
    const etag = answer(path, {})?.headers['etag'];
    assert.equal(answer(path, { 'if-none-match': etag })?.status, 304);
  }
  assert.equal(answer('/openapi/v3/toString', {})?.status, 404);
  assert.equal(answer('/openapi', {}), undefined);
});

/** Document.definitions (9) → additional_properties (1) → name (1). */
function definitionNames(bytes: Buffer): string[] {
  const names: string[] = [];
  each(new WireReader(bytes), 9, (definitions) =>
    each(definitions, 1, (entry) => {
      const tag = entry.tag();
      assert.equal(tag.number, 1);
      names.push(entry.text());
    }),
  );
  return names;
}

function each(reader: WireReader, number: number, visit: (message: WireReader) => void): void {
  while (!reader.done) {
    const tag = reader.tag();
    if (tag.number === number && tag.wire === 2) visit(reader.message());
    else reader.skip(tag.wire);
  }
}

test('fields with a closed list of values have an enum', () => {
  const { read } = serve();
  const core = schemas(read('/openapi/v3/api/v1'));
  const property = (type: string, field: string) => at(core, `io.k8s.api.core.v1.${type}`, 'properties', field);
  assert.deepEqual(at(property('ContainerPort', 'protocol'), 'enum'), ['SCTP', 'TCP', 'UDP']);
  assert.equal(at(property('PersistentVolumeClaimSpec', 'accessModes'), 'enum'), undefined);
  assert.equal((at(property('PersistentVolumeClaimSpec', 'accessModes'), 'items', 'enum') as Json[]).length, 4);
  assert.equal(at(property('Container', 'name'), 'enum'), undefined);
});

test('every field with an enum is a field of a type', () => {
  for (const field of closedFields()) {
    const dot = field.lastIndexOf('.');
    assert.ok(typeNamed(field.slice(0, dot)).fields.has(field.slice(dot + 1)), field);
  }
});
