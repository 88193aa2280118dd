import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { objectOf } from '../../test/support/schema-values.ts';
import type { JsonObject } from '../json/json-value.ts';
import { ApiError } from '../meta/api-error.ts';
import { kindOfType, typeNamed, typeNames } from '../schema/type-table.ts';
import { decodeProtobuf } from './decode.ts';
import { encodeProtobuf, encodeWatchFrame, hasProtobuf } from './frames.ts';

/** Bodies sent by kubectl 1.33, and the JSON that kubectl 1.30 sends for the same commands. */
const sent: readonly (readonly [command: string, body: string, object: JsonObject])[] = [
  [
    'create deployment web --image=nginx --replicas=0 --port=80',
    'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50ErgBCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEoYBCAASDAoKCgNhcHASA3dlYhpsChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkwSLgoFbmdpbngSBW5naW54KgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=',
    {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }], resources: {} }] },
        },
        strategy: {},
      },
      status: {},
    },
  ],
  [
    'create secret generic s --from-literal=a=b',
    'azhzAAoMCgJ2MRIGU2VjcmV0Eh0KEQoBcxIAGgAiACoAMgA4AEIAEgYKAWESAWIaABoAIgA=',
    { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' }, data: { a: 'Yg==' } },
  ],
  [
    'create service nodeport n --tcp=80:8080',
    'azhzAAoNCgJ2MRIHU2VydmljZRJiChsKAW4SABoAIgAqADIAOABCAFoICgNhcHASAW4SPwobCgc4MC04MDgwEgNUQ1AYUCIHCAAQkD8aACgAEggKA2FwcBIBbhoAIghOb2RlUG9ydDoAQgBSAFoAYABoABoCCgAaACIA',
    {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'n', labels: { app: 'n' } },
      spec: {
        ports: [{ name: '80-8080', protocol: 'TCP', port: 80, targetPort: 8080 }],
        selector: { app: 'n' },
        type: 'NodePort',
      },
      status: { loadBalancer: {} },
    },
  ],
  [
    'create quota q --hard=cpu=1,memory=1G',
    'azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRIzChEKAXESABoAIgAqADIAOABCABIcCgoKA2NwdRIDCgExCg4KBm1lbW9yeRIECgIxRxoAGgAiAA==',
    {
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata: { name: 'q' },
      spec: { hard: { cpu: '1', memory: '1G' } },
      status: {},
    },
  ],
  [
    'auth can-i get pods',
    'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSPAoQCgASABoAIgAqADIAOABCABIeChwKB2RlZmF1bHQSA2dldBoAIgAqBHBvZHMyADoAGggIABIAGgAgABoAIgA=',
    {
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: { resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' } },
      status: { allowed: false },
    },
  ],
  [
    'create pdb p --selector=a=b --min-available=50%',
    'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSNgoRCgFwEgAaACIAKgAyADgAQgASFQoJCAEQABoDNTAlEggKBgoBYRIBYhoKCAAYACAAKAAwABoAIgA=',
    {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: { name: 'p' },
      spec: { minAvailable: '50%', selector: { matchLabels: { a: 'b' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  ],
];

test('protobuf sent by kubectl decodes to the same object as its JSON', () => {
  for (const [command, body, object] of sent) {
    assert.deepEqual(decodeProtobuf(Buffer.from(body, 'base64')), object, command);
  }
});

test('times, raw values and JSON Schema unions round-trip through protobuf', () => {
  const objects: JsonObject[] = [
    {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name: 'l', creationTimestamp: '2024-02-29T12:00:01Z' },
      spec: { renewTime: '1969-12-31T23:59:58.000001Z', leaseTransitions: 0 },
    },
    {
      kind: 'ControllerRevision',
      apiVersion: 'apps/v1',
      metadata: { name: 'r', managedFields: [{ manager: 'm', fieldsV1: { 'f:data': {} } }] },
      data: { spec: { template: { $patch: 'replace' } } },
      revision: 3,
    },
    {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: { name: 'c' },
      spec: {
        group: 'g',
        names: { plural: 'p', kind: 'K' },
        scope: 'Cluster',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: false,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  list: {
                    type: 'array',
                    items: { type: 'number', minimum: -1.5, enum: [1, 'two', null, { three: [] }] },
                  },
                  open: { additionalProperties: true },
                  shut: { additionalProperties: false },
                  typed: { additionalProperties: { type: 'string', default: { deep: [1] } } },
                  needs: { dependencies: { a: ['b', 'c'] } },
                },
              },
            },
          },
        ],
      },
      status: { acceptedNames: { plural: '', kind: '' } },
    },
    {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: { extra: { scopes: ['a', 'b'], none: [] } },
      status: { allowed: true },
    },
  ];
  for (const object of objects) assert.deepEqual(decodeProtobuf(encodeProtobuf(object)), object);
});

const kinds = [...typeNames()].flatMap((name) => {
  const kind = kindOfType(name);
  const apiVersion = kind && (kind.group ? `${kind.group}/${kind.version}` : kind.version);
  return kind && apiVersion && hasProtobuf(apiVersion, kind.kind) ? [{ name, apiVersion, kind: kind.kind }] : [];
});

test('every built-in kind round-trips through protobuf', () => {
  assert.ok(kinds.length > 130, `${kinds.length} kinds`);
  for (const { name, apiVersion, kind } of kinds) {
    const schema = typeNamed(name);
    fc.assert(
      fc.property(objectOf(schema, 4), (body) => {
        const object = { ...body, apiVersion, kind };
        assert.deepEqual(decodeProtobuf(encodeProtobuf(object)), object);
      }),
      { numRuns: 5, seed: 7 },
    );
  }
});

test('any bytes decode to an object or give a 400', () => {
  const refusedOrRead = (bytes: Buffer): void => {
    try {
      decodeProtobuf(bytes);
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error));
      assert.equal(error.code, 400);
    }
  };
  const bodies = sent.map(([, body]) => Buffer.from(body, 'base64'));
  const change = fc.record({ body: fc.constantFrom(...bodies), at: fc.nat(), byte: fc.nat(255), cut: fc.nat() });
  fc.assert(
    fc.property(change, ({ body, at, byte, cut }) => {
      const bytes = Buffer.from(body);
      bytes[4 + (at % (bytes.length - 4))] = byte;
      refusedOrRead(bytes);
      refusedOrRead(bytes.subarray(0, cut % bytes.length));
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      refusedOrRead(Buffer.concat([Buffer.from('k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12', 'latin1'), noise]));
    }),
    { numRuns: 500 },
  );
});

test('an object nested too deeply is rejected cheaply', () => {
  let schema: Buffer = Buffer.alloc(0);
  const wrap = (number: number, inner: Buffer): Buffer => {
    const head = [
      number * 8 + 2 > 127 ? [((number * 8 + 2) & 0x7f) | 0x80, (number * 8 + 2) >> 7] : [number * 8 + 2],
    ].flat();
    const length: number[] = [];
    for (let rest = inner.length; ; rest >>>= 7) {
      length.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest <= 127) break;
    }
    return Buffer.concat([Buffer.from([...head, ...length]), inner]);
  };
  for (let depth = 0; depth < 5000; depth++) schema = wrap(28, schema);
  const spec = wrap(2, wrap(7, wrap(4, wrap(1, schema))));
  const meta = wrap(
    1,
    Buffer.concat([wrap(1, Buffer.from('apiextensions.k8s.io/v1')), wrap(2, Buffer.from('CustomResourceDefinition'))]),
  );
  const body = Buffer.concat([Buffer.from('k8s\0'), meta, wrap(2, spec)]);
  assert.throws(() => decodeProtobuf(body), /nested too deeply/);
});

test('__proto__ is an ordinary key', () => {
  const labels = JSON.parse('{"__proto__":"x","a":"b"}') as JsonObject;
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c', labels } };
  const decoded = decodeProtobuf(encodeProtobuf(object))['metadata'] as JsonObject;
  assert.deepEqual(Object.entries(decoded['labels'] as JsonObject), [
    ['__proto__', 'x'],
    ['a', 'b'],
  ]);
});

test('the kind of the request is used if the envelope has none', () => {
  const anonymous = Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x12, 5, 0x0a, 3, 0x0a, 1, 0x78])]);
  assert.deepEqual(decodeProtobuf(anonymous, { apiVersion: 'v1', kind: 'ConfigMap' }), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
  });
  assert.throws(() => decodeProtobuf(anonymous), { code: 400 });
  assert.throws(() => decodeProtobuf(Buffer.from('{}')), { code: 400 });
});

test('a watch frame is a length and an event that contains a whole object', () => {
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' } };
  const frame = encodeWatchFrame('ADDED', pod);
  assert.equal(frame.readUInt32BE(0), frame.length - 4);
  assert.equal(frame.toString('latin1', 6, 11), 'ADDED');
  assert.deepEqual(decodeProtobuf(frame.subarray(frame.indexOf('k8s\0'))), pod);
});

test('a table and a custom resource have no protobuf form', () => {
  assert.equal(hasProtobuf('meta.k8s.io/v1', 'Table'), false);
  assert.equal(hasProtobuf('example.com/v1', 'Widget'), false);
  assert.equal(hasProtobuf('v1', 'Status'), true);
  assert.throws(() => encodeProtobuf({ kind: 'Widget', apiVersion: 'example.com/v1' }), { code: 406 });
});
