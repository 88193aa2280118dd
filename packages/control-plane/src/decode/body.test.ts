import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type ObjectSchema, schemaOf } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { type BodyOptions, decodeBody } from './body.ts';

const configMap: BodyOptions = { kind: 'ConfigMap', apiVersion: 'v1', fieldValidation: 'Warn' };
const deployment: BodyOptions = { kind: 'Deployment', apiVersion: 'apps/v1', fieldValidation: 'Warn' };

function schemaFor({ apiVersion, kind }: BodyOptions): ObjectSchema {
  const [version, group = ''] = apiVersion.split('/').reverse();
  return schemaOf(group, version!, kind)!;
}

const decode = (body: string | Uint8Array, options = configMap, contentType = 'application/json') =>
  decodeBody(body, contentType, schemaFor(options), options);

/** `400 message`, or the draft as text. */
function answer(body: string, options = configMap, contentType = 'application/json'): string {
  try {
    return JSON.stringify(decode(body, options, contentType).draft);
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`;
    throw error;
  }
}

test('a body that is not a JSON object is rejected with the same message as in kube-apiserver', () => {
  const typeMeta = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
  const unrecognised = (why: string) =>
    `400 the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: ${why}`;
  for (const [body, expected] of [
    ['', unrecognised('unexpected end of JSON input (<empty>)')],
    ['{', unrecognised('unexpected end of JSON input ({)')],
    ['[]', unrecognised(`json: cannot unmarshal array into Go value of type ${typeMeta} (5b5d)`)],
    ['"x"', unrecognised(`json: cannot unmarshal string into Go value of type ${typeMeta} (227822)`)],
    ['1', unrecognised(`json: cannot unmarshal number into Go value of type ${typeMeta} (31)`)],
    [
      '{"kind":1}',
      unrecognised('json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})'),
    ],
    [`{"a":"${'x'.repeat(40)}"`, unrecognised(`unexpected end of JSON input ({"a":"${'x'.repeat(24)} ...)`)],
    [
      '{"apiVersion":"a/b/c"}',
      '400 the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})',
    ],
  ] as const) {
    assert.equal(answer(body), expected);
  }
});

test('a body may omit what the path specifies, and null is an empty object', () => {
  for (const body of ['null', '{}', '{"kind":"ConfigMap"}', '{"apiVersion":"v1","kind":null}']) {
    assert.deepEqual(decode(body).draft, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} });
  }
});

test('a body of another kind or version is refused', () => {
  for (const [body, options, expected] of [
    [
      '{"apiVersion":"v1","kind":"Secret"}',
      configMap,
      '400 Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      '{"apiVersion":"v1","kind":"Nonsense"}',
      configMap,
      '400 Nonsense in version "v1" cannot be handled as a ConfigMap: no kind "Nonsense" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      '{"apiVersion":"v1","kind":"ConfigMap"}',
      { kind: 'APIService', apiVersion: 'apiregistration.k8s.io/v1', fieldValidation: 'Warn' },
      '400 ConfigMap in version "v1" cannot be handled as a APIService: no kind "ConfigMap" is registered for version "v1" in scheme "k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:28"',
    ],
    [
      '{"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler"}',
      { kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v2', fieldValidation: 'Warn' },
      '400 the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)',
    ],
  ] as const) {
    assert.equal(answer(body, options), expected);
  }
});

test('a value of the wrong type is refused with its path', () => {
  const container = (part: string) => `{"spec":{"template":{"spec":{"containers":[${part}]}}}}`;
  for (const [body, why] of [
    ['{"spec":{"replicas":"three"}}', 'string into Go struct field DeploymentSpec.spec.replicas of type int32'],
    ['{"spec":{"replicas":1.5}}', 'number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32'],
    ['{"spec":{"replicas":1.0}}', 'number 1.0 into Go struct field DeploymentSpec.spec.replicas of type int32'],
    [
      '{"spec":{"replicas":2147483648}}',
      'number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    ['{"spec":{"paused":"yes"}}', 'string into Go struct field DeploymentSpec.spec.paused of type bool'],
    ['{"spec":[]}', 'array into Go struct field Deployment.spec of type v1.DeploymentSpec'],
    ['{"metadata":{"labels":{"a":1}}}', 'number into Go struct field ObjectMeta.metadata.labels of type string'],
    ['{"metadata":{"labels":"a"}}', 'string into Go struct field ObjectMeta.metadata.labels of type map[string]string'],
    ['{"metadata":{"finalizers":{}}}', 'object into Go struct field ObjectMeta.metadata.finalizers of type []string'],
    [
      container('{"env":[{"value":1}]}'),
      'number into Go struct field EnvVar.spec.template.spec.containers.env.value of type string',
    ],
    [container('true'), 'bool into Go struct field PodSpec.spec.template.spec.containers of type v1.Container'],
    [
      container('{"ports":[{"containerPort":"http"}]}'),
      'string into Go struct field ContainerPort.spec.template.spec.containers.ports.containerPort of type int32',
    ],
    [
      '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":true}}}}',
      'bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
    ],
    [
      '{"spec":{"template":{"spec":{"volumes":[{"emptyDir":1}]}}}}',
      'number into Go struct field Volume.spec.template.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource',
    ],
  ] as const) {
    assert.equal(
      answer(body, deployment),
      `400 Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal ${why}`,
    );
  }
});

test('unknown and duplicate fields are ignored, warned about or refused, in their order', () => {
  const body =
    '{"metadata":{"name":"w","nickname":"x"},"spec":{"template":{"spec":{"containers":[{"name":"c","imagee":"x","imagee":"y"}]}},' +
    '"replica":3,"replicas":1,"replicas":2,"selector":{"matchLabels":{"a":"1","a":"2"}}},"Spec":{"x":1,"x":2}}';
  const findings = [
    'unknown field "metadata.nickname"',
    'unknown field "spec.template.spec.containers[0].imagee"',
    'unknown field "spec.replica"',
    'duplicate field "spec.replicas"',
    'duplicate field "spec.selector.matchLabels.a"',
    'unknown field "Spec"',
  ];
  const ignored = decode(body, { ...deployment, fieldValidation: 'Ignore' });
  const warned = decode(body, deployment);
  assert.deepEqual(ignored.warnings, []);
  assert.deepEqual(warned.warnings, findings);
  assert.deepEqual(warned.draft, ignored.draft);
  assert.equal((warned.draft['spec'] as { replicas: number }).replicas, 2);
  assert.ok(!('nickname' in warned.draft.metadata) && !('Spec' in warned.draft));
  assert.equal(
    answer(body, { ...deployment, fieldValidation: 'Strict' }),
    `400 Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: ${findings.join(', ')}`,
  );
});

test('at most a hundred problems are listed', () => {
  const body = `{${Array.from({ length: 300 }, (_, i) => `"u${i}":1`).join()}}`;
  assert.equal(decode(body).warnings.length, 100);
  assert.equal(decode(`${body.slice(0, -1)},"u1":2,"kind":"ConfigMap","kind":"ConfigMap"}`).warnings.length, 100);
});

test('YAML is parsed as in kube-apiserver', () => {
  const yaml = (text: string) => answer(text, configMap, 'application/yaml; charset=utf-8');
  assert.equal(yaml('data:\n  k: "v"\n'), '{"data":{"k":"v"},"metadata":{},"apiVersion":"v1","kind":"ConfigMap"}');
  assert.equal(yaml('{"data":{"k":"v"}}'), '{"data":{"k":"v"},"metadata":{},"apiVersion":"v1","kind":"ConfigMap"}');
  const wrong = (type: string) =>
    `400 ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal ${type} into Go struct field ConfigMap.data of type string`;
  assert.equal(yaml('data: {k: 1}'), wrong('number'));
  assert.equal(yaml('data: {k: 0777}'), wrong('number'));
  for (const word of ['yes', 'No', 'on', 'OFF', 'y', 'true'])
    assert.equal(yaml(`data: {k: ${word}}`), wrong('bool'), word);
  for (const text of ['2020-01-01', '1:30', '190:20:30', '2001-12-14t21:59:43.10-05:00', '0x']) {
    assert.equal((decode(`data: {k: ${text}}`, configMap, 'application/yaml').draft['data'] as { k: string }).k, text);
  }
  assert.match(yaml('a: [b'), /^400 .*: yaml: line 1: did not find expected ',' or ']' \(613a205b62\)$/);
  assert.match(yaml('a: 1\n---\nb: 2\n'), /^400 .*: yaml: line 2: there is more than one document/);
  assert.match(yaml('- a'), /^400 .*json: cannot unmarshal array into Go value/);
  const twice = decode('data:\n  k: a\n  k: b\n', configMap, 'application/yaml');
  assert.deepEqual(twice.draft['data'], { k: 'b' });
  assert.deepEqual(twice.warnings, ['yaml: unmarshal errors:\n  line 3: key "k" already set in map']);
});

test('other content types are refused, and a missing one is JSON', () => {
  assert.match(
    answer('{}', configMap, 'text/plain'),
    /^415 .*application\/json, application\/yaml, application\/vnd.kubernetes.protobuf$/,
  );
  assert.match(
    answer('{}', { ...configMap, custom: true }, 'application/vnd.kubernetes.protobuf'),
    /^415 .*application\/json, application\/yaml$/,
  );
  assert.match(answer('{}', configMap, ''), /^\{/);
});

test('excessive nesting, size and aliases are rejected quickly', () => {
  const deep = (open: string, close: string, count: number) => `{"data":${open.repeat(count)}1${close.repeat(count)}}`;
  for (const [body, type] of [
    [deep('{"a":', '}', 200_000), 'application/json'],
    [deep('[', ']', 200_000), 'application/json'],
    ['['.repeat(500_000), 'application/json'],
    ['['.repeat(500_000), 'application/yaml'],
    [`${'- '.repeat(20_000)}a`, 'application/yaml'],
    [`a: &a [${'x,'.repeat(2_000)}]\nb: [${'*a,'.repeat(2_000)}]`, 'application/yaml'],
  ] as const) {
    const start = process.cpuUsage();
    assert.match(answer(body, configMap, type), /^400 /);
    assert.ok(process.cpuUsage(start).user < 2_000_000);
  }
  assert.match(
    answer(`{"metadata":{"managedFields":[{"fieldsV1":${'{"a":'.repeat(900)}1${'}'.repeat(900)}}]}}`),
    /^\{/,
  );
});

test('any body gives a draft or a 4xx', () => {
  const text = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.string(),
    fc.json().map((json) => `{"spec":${json},"metadata":${json}}`),
    fc.tuple(fc.json(), fc.nat(40)).map(([json, at]) => json.slice(0, at)),
  );
  fc.assert(
    fc.property(text, fc.constantFrom('application/json', 'application/yaml'), (body, type) => {
      assert.match(answer(body, deployment, type), /^(\{|4\d\d )/);
    }),
    { numRuns: 500 },
  );
});

test('a body may be a slice of a larger buffer', () => {
  const bytes = Buffer.from('xx{"data":{"k":"ä"}}xx').subarray(2, -2);
  assert.deepEqual(decode(bytes).draft['data'], { k: 'ä' });
});
