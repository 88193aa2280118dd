import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, templateOf } from '../../../test/support/workload-harness.ts';

const template = (parts: Parameters<typeof templateOf>[0]) => ({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 'web' },
  template: templateOf(parts),
});

test('a template has the defaults of a pod', () => {
  const { object, problems } = create(template({ container: { ports: [{ containerPort: 80 }] } }));
  assert.deepEqual(problems, []);
  const { spec } = object['template'] as unknown as {
    spec: { restartPolicy: string; containers: { ports: object[] }[] };
  };
  assert.equal(spec.restartPolicy, 'Always');
  assert.deepEqual(spec.containers[0]?.ports, [{ containerPort: 80, protocol: 'TCP' }]);
});

test('a template has the validation rules of a pod', () => {
  assert.deepEqual(create(template({ container: { image: '' } })).problems, [
    'template.spec.containers[0].image: Required value',
  ]);
});
