/** The errors of an object, and changes that are too late to be errors, as recorded from a real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError, apiVersionOf, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { accessOf, HttpClient, parseKubeconfig } from '@fairlead/kube';
import { type ControlPlane, startControlPlane } from '../src/index.ts';

let plane: ControlPlane;
let client: HttpClient;

before(async () => {
  plane = await startControlPlane();
  client = new HttpClient((await accessOf(parseKubeconfig(plane.kubeconfig(), 'kubeconfig'))).client);
});
after(async () => {
  await client.close();
  await plane.close();
});

const typeOf = (apiVersion: string, kind: string, plural: string, namespaced = true): ResourceType => {
  const [version, group = ''] = apiVersion.split('/').toReversed();
  return { group, version: version!, kind, plural, namespaced };
};
const types = {
  namespace: typeOf('v1', 'Namespace', 'namespaces', false),
  job: typeOf('batch/v1', 'Job', 'jobs'),
  event: typeOf('v1', 'Event', 'events'),
  newEvent: typeOf('events.k8s.io/v1', 'Event', 'events'),
  budget: typeOf('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
  secret: typeOf('v1', 'Secret', 'secrets'),
  cronJob: typeOf('batch/v1', 'CronJob', 'cronjobs'),
  quota: typeOf('v1', 'ResourceQuota', 'resourcequotas'),
  attachment: typeOf('storage.k8s.io/v1', 'VolumeAttachment', 'volumeattachments', false),
  runtime: typeOf('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', false),
};
type Made = KubeObject & Record<string, unknown>;
const objectOf = (type: ResourceType, metadata: object, fields: object = {}): Made => ({
  apiVersion: apiVersionOf(type),
  kind: type.kind,
  metadata: { name: '', ...(type.namespaced ? { namespace: 'default' } : {}), ...metadata },
  ...fields,
});
const make = (...parts: Parameters<typeof objectOf>): Promise<Made> =>
  client.create(parts[0], objectOf(...parts), { dryRun: true });
const causes = (made: Promise<unknown>): Promise<string[]> =>
  made.then(
    () => [],
    (error: unknown) => {
      assert.ok(error instanceof ApiError && error.code === 422, String(error));
      return (error.status.details?.causes ?? []).map(({ reason, field }) => `${reason} ${field}`);
    },
  );

const job = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'a:1' }] } } };

test('an invalid Job name is not reported again as its label', async () => {
  assert.deepEqual(await causes(make(types.job, { name: 'a b' }, { spec: job })), [
    'FieldValueInvalid metadata.name',
    'FieldValueInvalid spec.template.labels',
    'FieldValueInvalid spec.template.labels',
  ]);
  const { metadata } = await make(types.job, { name: 'a' }, { spec: job });
  assert.equal(metadata.labels?.['job-name'], 'a');
});

test('an invalid generated Namespace name is not reported as its label; a given one is', async () => {
  const made = ['FieldValueInvalid metadata.generateName', 'FieldValueInvalid metadata.name'];
  assert.deepEqual(await causes(make(types.namespace, { generateName: '*' })), made);
  const given = ['FieldValueInvalid metadata.name', 'FieldValueInvalid metadata.labels'];
  assert.deepEqual(await causes(make(types.namespace, { name: '*' })), given);
  const { metadata } = await make(types.namespace, { generateName: 'team-' });
  assert.match(metadata.name, /^team-\w{5}$/u);
  assert.equal(metadata.labels?.['kubernetes.io/metadata.name'], metadata.name);
});

test('if a kind does not validate metadata itself, metadata is validated last', async () => {
  const spec = { maxUnavailable: 'many', selector: {} };
  assert.deepEqual(await causes(make(types.budget, {}, { spec })), ['FieldValueInvalid spec.maxUnavailable']);
  assert.deepEqual(await causes(make(types.budget, {}, { spec: { ...spec, maxUnavailable: 1 } })), [
    'FieldValueRequired metadata.name',
  ]);
  const about = { kind: 'Pod', namespace: 'other' };
  assert.deepEqual(await causes(make(types.event, {}, { involvedObject: about })), [
    'FieldValueInvalid involvedObject.namespace',
  ]);
});

test('an event of the new kind is validated completely', async () => {
  const fields = {
    regarding: { kind: 'Pod', namespace: 'default' },
    eventTime: '2030-01-01T00:00:00.000000Z',
    reportingController: 'a/b',
    action: 'x',
    reason: 'y',
    type: 'Odd',
  };
  assert.deepEqual(await causes(make(types.newEvent, { name: 'A_b' }, fields)), [
    'FieldValueRequired reportingInstance',
    'FieldValueInvalid metadata.name',
    'FieldValueInvalid type',
  ]);
});

test('bytes may be an array of numbers', async () => {
  const { data } = await make(types.secret, { name: 's' }, { data: { a: [104, 105, null], b: [] } });
  assert.deepEqual(data, { a: Buffer.from('hi\0').toString('base64'), b: '' });
  for (const [wrong, says] of [
    [[300], 'number 300'],
    [[1.5], 'number 1.5'],
    [['x'], 'string'],
    [[[1]], 'array'],
  ] as const) {
    await assert.rejects(make(types.secret, { name: 's' }, { data: { a: wrong } }), {
      code: 400,
      message: `Secret in version "v1" cannot be handled as a Secret: json: cannot unmarshal ${says} into Go struct field Secret.data of type uint8`,
    });
  }
});

test('metadata in a status update is validated as often as the kind validates it', async () => {
  const spec = { schedule: '@daily', jobTemplate: { spec: job } };
  const attached = { attacher: 'd.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } };
  for (const [type, fields, labels, finalizers] of [
    [types.quota, { spec: {} }, 3, ['metadata.finalizers', 'metadata.finalizers[0]']],
    [types.cronJob, { spec }, 2, ['metadata.finalizers']],
    [types.budget, { spec: { selector: {} } }, 2, ['metadata.finalizers']],
    // A status write of an attachment changes nothing else.
    [types.attachment, { spec: attached }, 0, []],
  ] as const) {
    const key = { ...(type.namespaced ? { namespace: 'default' } : {}), name: 'x' };
    await client.create(type, objectOf(type, { name: 'x' }, fields));
    const patch = (metadata: object): Promise<string[]> =>
      causes(client.patch(type, key, 'merge', { metadata }, { subresource: 'status', dryRun: true }));
    assert.deepEqual(
      await patch({ labels: { a: 'B c' } }),
      Array.from({ length: labels }, () => 'FieldValueInvalid metadata.labels'),
      type.kind,
    );
    const expected = finalizers.map((field) => `FieldValueInvalid ${field}`);
    assert.deepEqual(await patch({ finalizers: ['bad one'] }), expected, type.kind);
  }
});

test('a RuntimeClass accepts finalizers without a domain', async () => {
  const { metadata } = await make(types.runtime, { name: 'r', finalizers: ['own'] }, { handler: 'h' });
  assert.deepEqual(metadata.finalizers, ['own']);
  assert.deepEqual(await causes(make(types.runtime, { name: 'r', finalizers: ['bad one'] }, { handler: 'h' })), [
    'FieldValueInvalid metadata.finalizers',
  ]);
});
