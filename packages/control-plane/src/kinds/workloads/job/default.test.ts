import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, templateOf } from '../../../../test/support/workload-harness.ts';

const job = (spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sum', ...metadata },
  spec: { template: templateOf({ metadata: { labels: undefined }, spec: { restartPolicy: 'Never' } }), ...spec },
});
const own = {
  'batch.kubernetes.io/controller-uid': 'u-1',
  'batch.kubernetes.io/job-name': 'sum',
  'controller-uid': 'u-1',
  'job-name': 'sum',
};

test('defaults of a Job', () => {
  const { spec, status } = create(job()).object;
  const { template: _, selector: __, ...rest } = spec;
  assert.deepEqual(rest, {
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    completions: 1,
    manualSelector: false,
    parallelism: 1,
    podReplacementPolicy: 'TerminatingOrFailed',
    suspend: false,
  });
  assert.deepEqual(status, {});
});

test('a Job and its pods are labelled with its name and uid', () => {
  const { metadata, spec } = create(job()).object;
  assert.deepEqual(spec['selector'], { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } });
  assert.deepEqual((spec as { template: { metadata: object } }).template.metadata, { labels: own });
  assert.deepEqual(metadata.labels, own);
});

test('existing labels are kept, and a manual selector gets no generated labels', () => {
  assert.deepEqual(create(job({}, { labels: { a: 'b' } })).object.metadata.labels, { a: 'b' });
  const template = templateOf({ spec: { restartPolicy: 'Never' } });
  const { spec } = create(job({ manualSelector: true, selector: { matchLabels: { app: 'web' } }, template })).object;
  assert.deepEqual((spec as { template: { metadata: object } }).template.metadata, { labels: { app: 'web' } });
});

for (const [title, given, expected] of [
  [
    'indexed with a limit for each',
    { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1 },
    { backoffLimit: 2147483647 },
  ],
  ['with a failure policy', { podFailurePolicy: { rules: [] } }, { podReplacementPolicy: 'Failed' }],
  ['parallel', { parallelism: 2 }, { completions: undefined }],
  ['with completions', { completions: 2 }, { parallelism: 1 }],
] as const) {
  test(`a job ${title}`, () => {
    const { spec } = create(job(given)).object;
    for (const [field, value] of Object.entries(expected)) assert.deepEqual(spec[field], value, field);
  });
}

test('the status of a pod condition in a failure policy defaults to True', () => {
  const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }];
  const { spec } = create(job({ podFailurePolicy: { rules } })).object;
  assert.deepEqual(spec['podFailurePolicy'], {
    rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
  });
});
