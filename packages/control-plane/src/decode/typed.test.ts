import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeTyped,
  decodeValue,
  type Field,
  type JsonObject,
  normalize,
  type ObjectSchema,
  type Schema,
  schemaOf,
} from '@fairlead/apimachinery';
import fc from 'fast-check';

const pod = schemaOf('', 'v1', 'Pod')!;
const specOf = (spec: JsonObject) => decodeTyped({ spec }, pod).object['spec'] as JsonObject;
const containerOf = (container: JsonObject) => (specOf({ containers: [container] })['containers'] as JsonObject[])[0]!;

test('null, zero values and empty collections equal absent fields', () => {
  assert.deepEqual(
    specOf({ containers: [], hostNetwork: false, nodeName: '', nodeSelector: {}, tolerations: [], affinity: null }),
    {
      containers: null,
    },
  );
  assert.deepEqual(
    decodeTyped({ metadata: { labels: {}, annotations: null, finalizers: [] } }, schemaOf('', 'v1', 'ConfigMap')!)
      .object,
    {
      metadata: {},
    },
  );
});

test('an empty managedFields list is kept, since it clears them', () => {
  const configMap = schemaOf('', 'v1', 'ConfigMap')!;
  const metadata = { managedFields: [], ownerReferences: [] };
  assert.deepEqual(decodeTyped({ metadata }, configMap).object, { metadata: { managedFields: [] } });
  const template = { metadata, spec: { containers: [] } };
  assert.deepEqual(decodeTyped({ template }, schemaOf('', 'v1', 'PodTemplate')!).object['template'], {
    metadata: {},
    spec: { containers: null },
  });
});

test('an empty list of scaling policies differs from an absent one', () => {
  const behavior = { scaleUp: { policies: [] } };
  const spec = { scaleTargetRef: { kind: 'Deployment', name: 'x' }, maxReplicas: 3, behavior };
  const { object } = decodeTyped({ spec }, schemaOf('autoscaling', 'v2', 'HorizontalPodAutoscaler')!);
  assert.deepEqual((object['spec'] as JsonObject)['behavior'], behavior);
});

test('zero and empty are values for fields that are pointers in Go', () => {
  const spec = {
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    affinity: {},
    securityContext: {},
  };
  assert.deepEqual(specOf({ ...spec, containers: [] }), { ...spec, containers: null });
});

test('fields without omitempty in Go are present', () => {
  assert.deepEqual(containerOf({}), { name: '', resources: {} });
  assert.deepEqual(decodeTyped({}, schemaOf('rbac.authorization.k8s.io', 'v1', 'Role')!).object, {
    metadata: {},
    rules: null,
  });
  assert.deepEqual(decodeTyped({ rules: [] }, schemaOf('rbac.authorization.k8s.io', 'v1', 'Role')!).object, {
    metadata: {},
    rules: null,
  });
  assert.deepEqual(decodeTyped({ status: { conditions: [{ type: 'Ready' }] } }, pod).object['status'], {
    conditions: [{ type: 'Ready', status: '', lastProbeTime: null, lastTransitionTime: null }],
  });
  assert.deepEqual(containerOf({ env: [{ valueFrom: { resourceFieldRef: {} } }] })['env'], [
    { name: '', valueFrom: { resourceFieldRef: { resource: '', divisor: '0' } } },
  ]);
});

test('null in a map or a list is the zero value of its element type', () => {
  const { object } = decodeTyped({ metadata: { labels: { a: null }, finalizers: [null] } }, pod);
  assert.deepEqual(object['metadata'], { labels: { a: '' }, finalizers: [''] });
  assert.deepEqual(decodeTyped({ data: { a: null } }, schemaOf('', 'v1', 'Secret')!).object['data'], { a: '' });
  assert.deepEqual(containerOf({ resources: { limits: { cpu: null } } })['resources'], { limits: { cpu: '0' } });
  assert.deepEqual(specOf({ containers: [null] })['containers'], [{ name: '', resources: {} }]);
});

test('scalars have their canonical form', () => {
  assert.deepEqual(containerOf({ resources: { requests: { cpu: 0.5, memory: '0.5Gi' } } })['resources'], {
    requests: { cpu: '500m', memory: '512Mi' },
  });
  const meta = decodeTyped(
    { metadata: { creationTimestamp: '2020-01-01T02:00:00.5+02:00', deletionTimestamp: null } },
    pod,
  );
  assert.deepEqual(meta.object['metadata'], { creationTimestamp: '2020-01-01T00:00:00Z' });
  assert.deepEqual(decodeTyped({ data: { a: 'eB==', b: 'eA\n==' } }, schemaOf('', 'v1', 'Secret')!).object['data'], {
    a: 'eA==',
    b: 'eA==',
  });
  const port = (value: number | string) =>
    containerOf({ livenessProbe: { httpGet: { port: value } } })['livenessProbe'];
  assert.deepEqual(port('http'), { httpGet: { port: 'http' } });
  assert.deepEqual(port(80), { httpGet: { port: 80 } });
});

test('untyped values are kept unchanged', () => {
  const fieldsV1 = { 'f:a': { '.': {}, n: null, e: [] } };
  const { object } = decodeTyped({ metadata: { managedFields: [{ manager: 'm', fieldsV1 }] } }, pod);
  assert.deepEqual(object['metadata'], { managedFields: [{ manager: 'm', fieldsV1 }] });
});

test('__proto__ is an ordinary key of a map', () => {
  const given = JSON.parse(
    '{"metadata":{"labels":{"__proto__":"x"},"__proto__":{"name":"y"}},"__proto__":{}}',
  ) as JsonObject;
  const { object, unknown } = decodeTyped(given, pod);
  assert.equal(JSON.stringify(object['metadata']), '{"labels":{"__proto__":"x"}}');
  assert.deepEqual(unknown, ['metadata.__proto__', '__proto__']);
});

test('the decoded input is not changed', () => {
  const value = {
    metadata: { name: 'a', labels: {} },
    wrong: 1,
    spec: { containers: [{ resources: { limits: { cpu: '1000m' } } }] },
  };
  const before = structuredClone(value);
  const decoded = decodeValue(value, pod, { fieldValidation: 'Warn' });
  assert.deepEqual(value, before);
  assert.deepEqual('warnings' in decoded && decoded.warnings, ['unknown field "wrong"']);
});

/** Values that match a schema, including zero values and nulls. */
function fitting(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'object': {
      const fields = [...schema.fields.values()].filter((field: Field) => depth > 0 || field.schema.type === 'string');
      return fc.record(
        Object.fromEntries(fields.map((f) => [f.name, fc.option(fitting(f.schema, depth - 1), { freq: 8 })])),
        {
          requiredKeys: [],
        },
      );
    }
    case 'list':
      return fc.array(fitting(schema.items, depth - 1), { maxLength: 2 });
    case 'map':
      return fc.dictionary(fc.string({ maxLength: 2 }), fitting(schema.values, depth - 1), { maxKeys: 2 });
    case 'boolean':
      return fc.boolean();
    case 'int32':
    case 'int64':
    case 'number':
      return fc.constantFrom(0, 1, -1);
    case 'quantity':
      return fc.constantFrom('0', '1500m', '0.5Gi', '1e3');
    case 'time':
      return fc.constantFrom('2020-01-01T00:00:00Z', '2020-01-01T00:00:00.1+01:00');
    case 'micro-time':
      return fc.constant('2020-01-01T00:00:00.000001Z');
    case 'bytes':
      return fc.base64String({ maxLength: 8 });
    case 'int-or-string':
      return fc.constantFrom(0, 80, '', '25%');
    default:
      return fc.constantFrom('', 'x');
  }
}

for (const [group, kind] of [
  ['', 'Pod'],
  ['apps', 'Deployment'],
  ['', 'Service'],
  ['batch', 'CronJob'],
] as const) {
  const schema: ObjectSchema = schemaOf(group, 'v1', kind)!;
  test(`decoding a decoded ${kind} changes nothing`, () => {
    fc.assert(
      fc.property(fitting(schema, 6), (value) => {
        const { object, unknown } = decodeTyped(value as JsonObject, schema);
        assert.deepEqual(unknown, []);
        assert.deepEqual(normalize(object as never, schema), object);
      }),
      { numRuns: 60 },
    );
  });
}

test('unknown fields of values written by the server are listed in the order of their keys', () => {
  const value = {
    zz: 1,
    metadata: { zz: 1, aa: 1 },
    subsets: [{ zz: 1, ports: [{ bb: 1 }] }, { aa: 1 }],
    aa: 1,
  };
  const named = (options: { inKeyOrder?: boolean; custom?: boolean }) => {
    const decoded = decodeValue(value, schemaOf('', 'v1', 'Endpoints')!, { fieldValidation: 'Warn', ...options });
    assert.ok('warnings' in decoded);
    return decoded.warnings.map((text) => text.split('"')[1]);
  };
  const metadata = ['metadata.aa', 'metadata.zz'];
  const subsets = ['subsets[0].ports[0].bb', 'subsets[0].zz', 'subsets[1].aa'];
  assert.deepEqual(named({ inKeyOrder: true }), ['aa', ...metadata, ...subsets, 'zz']);
  assert.deepEqual(named({ inKeyOrder: true, custom: true }), [...metadata, 'aa', ...subsets, 'zz']);
  assert.equal(named({})[0], 'zz');
});

test('a parsed value of the wrong type is reported with the conversion error of Go', () => {
  const service = schemaOf('', 'v1', 'Service')!;
  const table: [spec: unknown, conversion: string][] = [
    [{ clusterIP: true }, 'unrecognized type: string'],
    [{ clusterIP: 1 }, 'cannot convert int64 to string'],
    [{ healthCheckNodePort: '1' }, 'unrecognized type: int32'],
    [{ healthCheckNodePort: 1.5 }, 'cannot convert float64 to int32'],
    [{ selector: 'a' }, 'cannot restore map from string'],
    [{ ports: 'a' }, 'cannot restore slice from string'],
    [[], 'cannot restore struct from: slice'],
    [{ ports: [{ port: 1, targetPort: true }] }, 'json: cannot unmarshal bool into Go value of type int32'],
  ];
  for (const [spec, conversion] of table) {
    const decoded = decodeValue({ spec } as JsonObject, service, { fieldValidation: 'Ignore' });
    assert.equal('conversion' in decoded && decoded.conversion, conversion, JSON.stringify(spec));
  }
});
