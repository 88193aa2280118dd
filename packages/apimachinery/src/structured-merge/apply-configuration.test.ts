import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { configMap, widget, workload } from '../../test/support/sample-schemas.ts';
import type { Json, JsonObject } from '../json/json-value.ts';
import { ApiError } from '../meta/api-error.ts';
import type { KubeObject, ManagedFieldsEntry } from '../meta/object.ts';
import { type Application, applyConfiguration } from './apply-configuration.ts';
import { equalSets, membersOf, showPath } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { decodeFields } from './fields-v1.ts';
import { lastAppliedAnnotation } from './last-applied.ts';
import { shapeOf } from './shape.ts';
import { updateManagedFields } from './update-managed-fields.ts';

const at = (second: number): string => `2024-01-01T00:00:${String(second).padStart(2, '0')}Z`;

const config = (fields: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x', ...metadata },
  ...fields,
});

/** A single stored object that tests apply to and update. */
class TestCluster {
  live: KubeObject | undefined;
  readonly schema: Application['schema'];

  constructor(schema: Application['schema'] = configMap) {
    this.schema = schema;
  }

  apply(manager: string, fields: JsonObject, more: Partial<Application> = {}): KubeObject {
    const { object } = applyConfiguration({
      live: this.live,
      config: config(fields),
      schema: this.schema,
      manager,
      apiVersion: 'v1',
      kind: 'X',
      force: false,
      now: at(1),
      ...more,
    });
    this.live = object === this.live ? object : { ...object, metadata: { ...object.metadata, uid: 'u' } };
    return object;
  }

  update(manager: string, fields: JsonObject, metadata: JsonObject = {}): void {
    const next = config(fields, { uid: 'u', ...metadata }) as unknown as KubeObject;
    const managedFields = updateManagedFields({
      live: this.live,
      next,
      schema: this.schema,
      manager,
      apiVersion: 'v1',
      now: at(1),
    });
    this.live = { ...next, metadata: { ...next.metadata, managedFields } };
  }

  /** The content of the object without its identity. */
  get content(): JsonObject {
    const { apiVersion: _, kind: __, metadata: ___, ...rest } = this.live as unknown as JsonObject;
    return rest;
  }

  get owners(): string[] {
    return (this.live?.metadata.managedFields ?? []).map(
      ({ manager, operation, fieldsV1 }) =>
        `${manager} ${operation}: ${[...membersOf(decodeFields(fieldsV1))].map(showPath).join(' ')}`,
    );
  }
}

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return assert.fail('it was accepted');
}

test('an apply that creates owns exactly its fields', () => {
  const cluster = new TestCluster();
  cluster.apply('m', { data: { k: 'v' } });
  assert.deepEqual(cluster.content, { data: { k: 'v' } });
  assert.deepEqual(cluster.owners, ['m Apply: .data.k']);
});

test('applying again returns the live object itself', () => {
  const cluster = new TestCluster();
  cluster.apply('m', { data: { k: 'v' } });
  const live = cluster.live;
  assert.equal(cluster.apply('m', { data: { k: 'v' } }, { now: at(9) }), live);
});

test('two managers that apply the same value both own it, the second without a time', () => {
  const cluster = new TestCluster();
  cluster.apply('m1', { data: { k: '1' } });
  cluster.apply('m2', { data: { k: '1' } }, { now: at(9) });
  assert.deepEqual(cluster.owners, ['m2 Apply: .data.k', 'm1 Apply: .data.k']);
  assert.deepEqual(
    cluster.live?.metadata.managedFields?.map(({ time }) => time),
    [undefined, at(1)],
  );
});

test('changing a field of another manager is a conflict, and force takes ownership', () => {
  const cluster = new TestCluster();
  cluster.update('editor', { data: { k: '1', l: '1' } });
  const error = refusal(() => cluster.apply('m', { data: { k: '2' } }));
  assert.deepEqual(
    { code: error.code, reason: error.reason, message: error.message, details: error.status.details },
    {
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "editor" using v1: .data.k',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "editor" using v1', field: '.data.k' }],
      },
    },
  );
  cluster.apply('m', { data: { k: '2' } }, { force: true });
  assert.deepEqual(cluster.owners, ['m Apply: .data.k', 'editor Update: .data .data.l']);
});

test('several conflicts are listed by manager', () => {
  const cluster = new TestCluster();
  cluster.apply('m1', { data: { k: '1' } });
  cluster.apply('m2', { data: { k: '1', l: '1' } });
  cluster.apply('m3', { data: { n: '1' } }, { subresource: 'status' });
  assert.equal(
    refusal(() => cluster.apply('m4', { data: { k: '2', l: '2', n: '2' } })).message,
    'Apply failed with 4 conflicts: conflicts with "m1":\n- .data.k\nconflicts with "m2":\n- .data.k\n- .data.l\nconflicts with "m3" with subresource "status":\n- .data.n',
  );
});

test('a field that is no longer applied is removed, unless another manager owns it', () => {
  const cluster = new TestCluster();
  cluster.apply('m1', { data: { a: '1', b: '1', c: '1' } });
  cluster.apply('m2', { data: { b: '1' } });
  cluster.apply('m1', { data: { a: '1' } });
  assert.deepEqual(cluster.content, { data: { a: '1', b: '1' } });
  assert.deepEqual(cluster.owners, ['m2 Apply: .data.b', 'm1 Apply: .data.a']);
  cluster.apply('m2', {});
  cluster.apply('m1', {});
  assert.deepEqual(cluster.content, {});
  assert.deepEqual(cluster.owners, []);
});

test('a field without an applier is never pruned', () => {
  const cluster = new TestCluster(workload);
  cluster.apply('m', { spec: { replicas: 2, containers: [{ name: 'a', image: 'x' }] } });
  const live = structuredClone(cluster.live) as unknown as { spec: { containers: JsonObject[]; paused: boolean } };
  live.spec.paused = true;
  live.spec.containers[0]!['args'] = ['by-default'];
  cluster.live = live as unknown as KubeObject;
  cluster.apply('m', { spec: { containers: [{ name: 'a', image: 'x' }] } });
  assert.deepEqual(cluster.content, {
    spec: { paused: true, containers: [{ name: 'a', image: 'x', args: ['by-default'] }] },
  });
});

test('list items have owners; when the last owner drops an item, it is removed', () => {
  const cluster = new TestCluster(widget);
  cluster.apply('m1', { spec: { list: [{ name: 'a', v: 1 }], set: ['x'] } });
  cluster.apply('m2', { spec: { list: [{ name: 'b', v: 2 }], set: ['y', 'x'] } });
  assert.deepEqual(cluster.content, {
    spec: {
      list: [
        { name: 'a', v: 1 },
        { name: 'b', v: 2 },
      ],
      set: ['y', 'x'],
    },
  });
  cluster.apply('m1', { spec: {} });
  assert.deepEqual(cluster.content, { spec: { list: [{ name: 'b', v: 2 }], set: ['y', 'x'] } });
  assert.deepEqual(cluster.owners, [
    'm1 Apply: .spec',
    'm2 Apply: .spec.list[name="b"] .spec.list[name="b"].name .spec.list[name="b"].v .spec.set[="x"] .spec.set[="y"]',
  ]);
});

test('an absent key field has its default', () => {
  const cluster = new TestCluster(workload);
  const ports = (...items: Json[]) => ({ spec: { containers: [{ name: 'a', ports: items }] } });
  cluster.apply('m1', ports({ containerPort: 80 }));
  cluster.apply('m2', ports({ containerPort: 80, protocol: 'UDP' }));
  cluster.apply('m1', ports({ containerPort: 80, protocol: 'TCP', name: 'http' }));
  assert.deepEqual((cluster.content['spec'] as { containers: JsonObject[] }).containers[0]?.['ports'], [
    { containerPort: 80, protocol: 'TCP', name: 'http' },
    { containerPort: 80, protocol: 'UDP' },
  ]);
});

test('an atomic value is owned as a whole', () => {
  const cluster = new TestCluster(workload);
  const selector = (matchLabels: JsonObject) => ({ spec: { selector: { matchLabels } } });
  cluster.apply('m1', selector({ a: '1' }));
  assert.deepEqual(cluster.owners, ['m1 Apply: .spec.selector']);
  assert.match(
    refusal(() => cluster.apply('m2', selector({ b: '1' }))).message,
    /conflict with "m1": \.spec\.selector$/,
  );
});

test('an object without managedFields belongs to before-first-apply', () => {
  const cluster = new TestCluster();
  cluster.live = config({ data: { k: '1' } }, { uid: 'u' }) as unknown as KubeObject;
  assert.match(
    refusal(() => cluster.apply('m', { data: { k: '2' } })).message,
    /conflict with "before-first-apply" using v1: \.data\.k$/,
  );
  cluster.apply('m', { data: { l: '1' } });
  assert.deepEqual(cluster.owners, ['m Apply: .data.l', 'before-first-apply Update: .data .data.k']);
});

test('fields that the endpoint resets are neither owned nor a conflict', () => {
  const cluster = new TestCluster(workload);
  cluster.apply('m', { spec: { replicas: 1 }, status: { replicas: 5 } }, { resetFields: [['status']] });
  assert.deepEqual(cluster.owners, ['m Apply: .spec.replicas']);
});

test('defaults apply to the merged object, and not to an unchanged one', () => {
  const cluster = new TestCluster();
  const seen: JsonObject[] = [];
  const defaults = (merged: JsonObject): JsonObject => {
    seen.push(merged);
    return { ...merged, data: { ...(merged['data'] as JsonObject), d: 'default' } };
  };
  cluster.apply('m', { data: { k: '1' } }, { defaults });
  assert.deepEqual(cluster.content, { data: { k: '1', d: 'default' } });
  cluster.apply('m', { data: { k: '1' } }, { defaults });
  assert.equal(seen.length, 1);
});

test('a change that normalization removes is not a change, and keeps the timestamps', () => {
  const cluster = new TestCluster();
  cluster.apply('m', { data: { k: '1' } });
  const live = cluster.live;
  const defaults = (merged: JsonObject): JsonObject => ({ ...merged, data: { k: '1' } });
  assert.equal(cluster.apply('m', { data: { k: '1.0' } }, { defaults, now: at(9) }), live);
});

const refusals: readonly [title: string, config: JsonObject, code: number, message: string][] = [
  ['nothing at all', {}, 400, 'invalid object type: /, Kind='],
  ['another kind', { apiVersion: 'v1', kind: 'Y' }, 400, 'invalid object type: /v1, Kind=Y'],
  ['another version', { apiVersion: 'g/v2', kind: 'X' }, 400, 'invalid object type: g/v2, Kind=X'],
  ['its own managers', config({}, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
  [
    'a field that is not declared',
    config({ oops: 1 }, { namespace: 'ns' }),
    500,
    'failed to create typed patch object (ns/x; /v1, Kind=X): .oops: field not declared in schema',
  ],
];

for (const [title, body, code, message] of refusals) {
  test(`a configuration with ${title} is refused`, () => {
    const error = refusal(() => new TestCluster().apply('m', {}, { config: body }));
    assert.deepEqual([error.code, error.message], [code, message]);
  });
}

test('an apply to an object with invalid managedFields is refused', () => {
  const cluster = new TestCluster();
  cluster.live = config({}, { uid: 'u', managedFields: [{ operation: 'Other' }] }) as unknown as KubeObject;
  assert.match(refusal(() => cluster.apply('m', {})).message, /^failed to decode managed fields: operation must be/);
});

const clientApplied = (data: JsonObject): JsonObject => ({
  annotations: { [lastAppliedAnnotation]: `${JSON.stringify(config({ data }))}\n` },
});

test('kubectl takes over unchanged client-side applied fields without a conflict', () => {
  const cluster = new TestCluster();
  cluster.update('kubectl-client-side-apply', { data: { k: '1', l: '1' } }, clientApplied({ k: '1', l: '1' }));
  assert.equal(refusal(() => cluster.apply('other', { data: { k: '2' } })).code, 409);
  cluster.apply('kubectl', { data: { k: '2' } });
  assert.deepEqual(cluster.content, { data: { k: '2', l: '1' } });
  const annotation = cluster.live?.metadata.annotations?.[lastAppliedAnnotation];
  assert.equal(annotation, '{"apiVersion":"v1","data":{"k":"2"},"kind":"X","metadata":{"name":"x"}}\n');
});

test('kubectl conflicts with changes made after its client-side apply', () => {
  const cluster = new TestCluster();
  cluster.update('kubectl-client-side-apply', { data: { k: '1', l: '1' } }, clientApplied({ k: '0', l: '1' }));
  assert.equal(
    refusal(() => cluster.apply('kubectl', { data: { k: '2', l: '2' } })).message,
    'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.k',
  );
});

/** Version v0 has the data under another name. */
const convert: NonNullable<Application['convert']> = (object, apiVersion) => {
  if (apiVersion !== 'v0' && apiVersion !== 'v1') return undefined;
  const { apiVersion: _, data, spec, ...rest } = object;
  const content = (data ?? (spec as JsonObject | undefined)?.['map']) as Json;
  return apiVersion === 'v0'
    ? { object: { ...rest, apiVersion, ...(content ? { spec: { map: content } } : {}) }, schema: widget }
    : { object: { ...rest, apiVersion, ...(content ? { data: content } : {}) }, schema: configMap };
};

test('managers in other versions own, conflict and prune through conversion', () => {
  const cluster = new TestCluster();
  const old: ManagedFieldsEntry = {
    manager: 'old',
    operation: 'Apply',
    apiVersion: 'v0',
    time: at(0),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:map': { 'f:a': {}, 'f:b': {} } } },
  };
  cluster.live = config(
    { data: { a: '1', b: '1' } },
    { uid: 'u', managedFields: [old as unknown as Json] },
  ) as unknown as KubeObject;
  assert.match(refusal(() => cluster.apply('m', { data: { a: '2' } }, { convert })).message, /"old": \.spec\.map\.a$/);
  cluster.apply('old', { data: { a: '1' } }, { convert });
  assert.deepEqual(cluster.content, { data: { a: '1' } });
  assert.deepEqual(cluster.owners, ['old Apply: .data.a']);
});

const key = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom('1', '2');
const plain = { noNullPrototype: true };
const specs = fc.record(
  {
    n: fc.integer({ min: 0, max: 2 }),
    map: fc.dictionary(key, value, { minKeys: 1, ...plain }),
    atomicMap: fc.dictionary(key, value, plain),
    set: fc.uniqueArray(key, { minLength: 1 }),
    list: fc.uniqueArray(
      fc.record({ name: key, v: fc.integer({ min: 0, max: 2 }) }, { requiredKeys: ['name'], ...plain }),
      { minLength: 1, selector: ({ name }) => name },
    ),
    plain: fc.array(key, { maxLength: 3 }),
  },
  { requiredKeys: ['n'], ...plain },
) as fc.Arbitrary<JsonObject>;
const history = fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), specs), { minLength: 1, maxLength: 6 });

test('after any history of applies: a repeated apply is a no-op, only appliers own, and nothing remains when all drop their fields', () => {
  fc.assert(
    fc.property(history, (applies) => {
      const cluster = new TestCluster(widget);
      // Without any manager the object would count as untracked.
      cluster.apply('anchor', { metadata: { name: 'x', labels: { anchor: 'yes' } } });
      for (const [manager, spec] of applies) {
        cluster.apply(manager, { spec }, { force: true });
        const live = cluster.live;
        assert.equal(cluster.apply(manager, { spec }, { now: at(30) }), live, 'once more is a no-op, and no conflict');
        const own = live?.metadata.managedFields?.find((entry) => entry.manager === manager);
        const said = fieldsOf(shapeOf(widget), { spec });
        assert.ok(equalSets(decodeFields(own?.fieldsV1), said), 'an applier owns its fields');
      }
      for (const [manager] of applies) cluster.apply(manager, {}, { force: true });
      assert.deepEqual(cluster.content, {});
      assert.deepEqual(cluster.owners, ['anchor Apply: .metadata.labels.anchor']);
    }),
  );
});
