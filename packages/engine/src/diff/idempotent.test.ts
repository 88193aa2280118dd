/** For each method of comparing and applying: after apply, nothing differs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyConfiguration,
  decodeValue,
  type JsonObject,
  type KubeObject,
  type ObjectSchema,
  schemaOf,
} from '@fairlead/apimachinery';
import fc from 'fast-check';
import { differenceBetween, type Prediction } from './diff.ts';
import { serverSidePrediction } from './server-side.ts';
import { structuredMerge } from './structured-merge.ts';
import { withDefaults } from './with-defaults.ts';

const schema = schemaOf('apps', 'v1', 'Deployment') as ObjectSchema;
const manager = 'argocd-controller';

const port = fc.record(
  {
    containerPort: fc.integer({ min: 1, max: 3 }),
    protocol: fc.constantFrom('TCP', 'UDP'),
    name: fc.constantFrom('a', 'b'),
  },
  { requiredKeys: ['containerPort'] },
);
const container = fc.record(
  {
    name: fc.constantFrom('web', 'proxy', 'log'),
    image: fc.constantFrom('x:1', 'x:2'),
    args: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    ports: fc.uniqueArray(port, {
      maxLength: 2,
      selector: ({ containerPort, protocol = 'TCP' }) => `${containerPort}${protocol}`,
    }),
    env: fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B', 'C'), value: fc.constantFrom('1', '2') }), {
      maxLength: 3,
      selector: ({ name }) => name,
    }),
    resources: fc.record({
      limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '1000m', '2', '1Gi')),
    }),
  },
  { requiredKeys: ['name'] },
);
const deployment = fc
  .record(
    {
      replicas: fc.integer({ min: 0, max: 3 }),
      paused: fc.boolean(),
      containers: fc.uniqueArray(container, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
      labels: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2')),
    },
    { requiredKeys: ['containers', 'labels'] },
  )
  .map(
    ({ containers, labels, ...spec }): KubeObject =>
      ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'shop', labels },
        spec: { ...spec, template: { spec: { containers } } },
      }) as unknown as KubeObject,
  );

/** The object as stored by the server, with its managed fields. */
const applied = (live: KubeObject | undefined, config: KubeObject, by = manager): KubeObject =>
  applyConfiguration({
    live,
    config: config as unknown as JsonObject,
    schema,
    manager: by,
    apiVersion: 'apps/v1',
    force: true,
    now: '2030-01-01T00:00:00Z',
    defaults: (merged) => {
      const decoded = decodeValue(merged, schema, { fieldValidation: 'Ignore' });
      return 'draft' in decoded ? (decoded.draft as unknown as JsonObject) : merged;
    },
  }).object as KubeObject;
const plain = ({ metadata: { managedFields: _, ...metadata }, ...rest }: KubeObject): KubeObject => ({
  ...rest,
  metadata,
});
const changed = ({ live, predicted }: Prediction): readonly string[] => differenceBetween(live, predicted).fields;
const byFields = (desired: KubeObject, live: KubeObject): Prediction =>
  structuredMerge(desired, plain(live), { schema, manager, managedFields: live.metadata.managedFields });
const byServer = (desired: KubeObject, live: KubeObject): KubeObject =>
  serverSidePrediction(applied(live, desired), plain(live), { schema, manager, includeMutations: false });

test('by field ownership: the state after apply equals the predicted one, and nothing differs', () => {
  fc.assert(
    fc.property(deployment, deployment, deployment, (first, theirs, second) => {
      const live = applied(applied(undefined, first), theirs, 'somebody');
      const after = applied(live, second);
      assert.deepEqual(changed(byFields(second, after)), [], 'settled');
      if (changed(byFields(second, live)).length === 0)
        assert.deepEqual(
          differenceBetween(withDefaults(plain(live)), withDefaults(plain(after))).fields,
          [],
          'there was nothing to do',
        );
    }),
    { numRuns: 300 },
  );
});

test('by dry run: after apply, nothing differs', () => {
  fc.assert(
    fc.property(deployment, deployment, deployment, (first, theirs, second) => {
      const live = applied(applied(undefined, first), theirs, 'somebody');
      const after = applied(live, second);
      assert.deepEqual(changed({ live: plain(after), predicted: byServer(second, after) }), []);
    }),
    { numRuns: 300 },
  );
});
