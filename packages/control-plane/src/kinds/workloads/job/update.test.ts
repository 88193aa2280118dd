import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, templateOf, update } from '../../../../test/support/workload-harness.ts';

const job = (spec: object = {}): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sum' },
  spec: { template: templateOf({ spec: { restartPolicy: 'Never' } }), ...spec },
});
const indexed = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
const changed = (given: object, change: object): readonly string[] =>
  update(create(job(given)).object, ({ spec }) => Object.assign(spec, change)).problems;

for (const [title, given, expected] of [
  ['more pods at once', { parallelism: 2 }, []],
  ['a pause', { suspend: true }, []],
  ['another afterlife', { ttlSecondsAfterFinished: 5 }, []],
  ['more completions', { completions: 2 }, ['spec.completions: Invalid value: 2: field is immutable']],
  [
    'another mode',
    { completionMode: 'Indexed' },
    ['spec.completionMode: Invalid value: "Indexed": field is immutable'],
  ],
  [
    'a failure policy',
    {
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'Ready', status: 'False' }] }] },
      podReplacementPolicy: 'Failed',
    },
    [
      'spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Ignore","OnExitCodes":null,"OnPodConditions":[{"Type":"Ready","Status":"False"}]}]}: field is immutable',
    ],
  ],
] as const) {
  test(`a job with ${title}`, () => assert.deepEqual(changed({}, given), expected));
}

for (const [title, given, expected] of [
  ['both', { completions: 5, parallelism: 5 }, []],
  [
    'one alone',
    { completions: 5 },
    ['spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism'],
  ],
] as const) {
  test(`an indexed Job that is scaled ${title}`, () => assert.deepEqual(changed(indexed, given), expected));
}

const pods = (draft: { spec: unknown }) =>
  (draft.spec as { template: { spec: Record<string, unknown> } }).template.spec;

test('the pod template of a Job is immutable once it has started', () => {
  const { object } = create(job());
  const { problems } = update(object, (draft) => Object.assign(pods(draft), { nodeSelector: { zone: 'a' } }));
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /^spec.template: Invalid value: .*: field is immutable$/);
});

test('scheduling directives and resources can change while the Job is suspended', () => {
  const { object } = create(job({ suspend: true }));
  const change = { nodeSelector: { zone: 'a' }, tolerations: [{ key: 'a', operator: 'Exists' }] };
  assert.deepEqual(update(object, (draft) => Object.assign(pods(draft), change)).problems, []);
  const container = { name: 'main', image: 'nginx', resources: { requests: { cpu: '1' } } };
  assert.deepEqual(update(object, (draft) => Object.assign(pods(draft), { containers: [container] })).problems, []);
  const other = update(object, (draft) =>
    Object.assign(pods(draft), { containers: [{ ...container, image: 'other' }] }),
  );
  assert.match(other.problems.join(), /^spec.template.spec: Invalid value: .*: field is immutable$/);
});

test('an invalid spec is reported twice, as in kube-apiserver', () => {
  const wrong = 'spec.parallelism: Invalid value: -1: must be greater than or equal to 0';
  assert.deepEqual(changed({}, { parallelism: -1 }), [wrong, wrong]);
});
