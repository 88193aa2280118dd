import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { workload } from '../../test/support/sample-schemas.ts';
import type { Json, JsonObject } from '../json/json-value.ts';
import { ApiError } from '../meta/api-error.ts';
import type { KubeObject } from '../meta/object.ts';
import {
  applyConfiguration,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  updateManagedFields,
} from './index.ts';

const live = {
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x', uid: 'u', labels: { a: '1' }, finalizers: ['f'] },
  spec: { replicas: 1, containers: [{ name: 'a', image: 'i', env: [{ name: 'E' }], resources: {} }], strategy: {} },
};

const names = fc.constantFrom(
  ...[
    'apiVersion',
    'kind',
    'metadata',
    'spec',
    'status',
    'name',
    'labels',
    'finalizers',
    'managedFields',
    'containers',
  ],
  ...['env', 'ports', 'replicas', 'strategy', 'selector', 'conditions', 'op', 'path', 'from', 'value', '__proto__'],
  ...[
    '$patch',
    '$retainKeys',
    '$setElementOrder/containers',
    '$deleteFromPrimitiveList/finalizers',
    '$setElementOrder',
  ],
);
const words = fc.constantFrom(
  'v1',
  'X',
  'x',
  'a',
  'add',
  'copy',
  'move',
  'test',
  'replace',
  'delete',
  '',
  '/spec',
  '/spec/containers/0',
  '/metadata',
);

/** JSON with the keywords of patches, so that it passes the first check. */
const { body: bodies } = fc.letrec<{ body: Json }>((tie) => ({
  body: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null)) as fc.Arbitrary<Json>,
    fc.array(tie('body'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('body')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries) as Json),
  ),
}));

function refusesCleanly(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ApiError, `${error instanceof Error ? error.stack : error}`);
  }
}

test('any body is applied as a patch or refused with a Status, and the live object is unchanged', () => {
  const before = structuredClone(live);
  fc.assert(
    fc.property(bodies, fc.boolean(), (body, strict) => {
      refusesCleanly(() => applyJsonPatch(live, body, { strict }));
      refusesCleanly(() => applyJsonPatch(live, [body], { strict }));
      refusesCleanly(() => applyMergePatch(live, body, { strict }));
      refusesCleanly(() => applyStrategicPatch(live, body, workload));
      refusesCleanly(() => applyStrategicPatch(live, { spec: body }, workload));
      assert.deepEqual(live, before);
    }),
    { numRuns: 500 },
  );
});

test('any configuration is applied or refused with a Status, and its managedFields can be computed', () => {
  const before = structuredClone(live);
  const common = { schema: workload, manager: 'kubectl', apiVersion: 'v1', now: '2024-01-01T00:00:00Z' };
  fc.assert(
    fc.property(bodies, fc.array(bodies, { maxLength: 3 }), (body, managedFields) => {
      const config = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, ...(body as object) } as JsonObject;
      const owned = { ...live, metadata: { ...live.metadata, managedFields } } as unknown as KubeObject;
      for (const object of [undefined, live as unknown as KubeObject, owned]) {
        refusesCleanly(() => applyConfiguration({ ...common, live: object, config, force: false }));
      }
      refusesCleanly(() => updateManagedFields({ ...common, live: live as unknown as KubeObject, next: owned }));
      assert.deepEqual(live, before);
    }),
    { numRuns: 500 },
  );
});

test('a body that is nested a hundred thousand levels deep is refused by every patch type', () => {
  let deep: Json = 1;
  for (let n = 0; n < 100_000; n++) deep = n % 2 ? [deep] : { spec: deep };
  const refused = (run: () => unknown) => assert.throws(run, (error) => error instanceof ApiError && error.code < 500);
  refused(() => applyJsonPatch(live, [{ op: 'add', path: '/spec', value: deep }]));
  refused(() => applyMergePatch(live, { spec: deep }));
  refused(() => applyStrategicPatch(live, { spec: deep }, workload));
  const config = { apiVersion: 'v1', kind: 'X', spec: deep };
  refused(() =>
    applyConfiguration({
      live: undefined,
      config,
      schema: workload,
      manager: 'm',
      apiVersion: 'v1',
      force: false,
      now: '',
    }),
  );
});
