import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createJq, JqError } from './jq.ts';

const jq = createJq({ timeMs: 20_000 });
after(() => jq.close());

const deployment = {
  spec: { replicas: 3, template: { spec: { containers: [{ name: 'web' }, { name: 'proxy', image: 'x' }] } } },
};
const containers = '.spec.template.spec.containers';

const cases: [expression: string, paths: readonly (readonly (string | number)[])[]][] = [
  ['.spec.replicas', [['spec', 'replicas']]],
  [`${containers}[] | select(.name == "proxy")`, [['spec', 'template', 'spec', 'containers', 1]]],
  [`${containers}[].image`, [0, 1].map((i) => ['spec', 'template', 'spec', 'containers', i, 'image'])],
  ['.. | .replicas?', [['replicas'], ['spec', 'replicas']]],
  ['.spec.none[]?', []],
  ['.spec.none[]', []],
  ['.spec.replicas # how many', [['spec', 'replicas']]],
  ['.spec | keys', []],
];

for (const [expression, paths] of cases) {
  test(`${expression} finds ${paths.length} paths`, async () => {
    const found = await jq.paths(expression, deployment);
    for (const path of paths)
      assert.ok(
        found.some((one) => JSON.stringify(one) === JSON.stringify(path)),
        `${path}`,
      );
    if (!expression.startsWith('..')) assert.equal(found.length, paths.length);
  });
}

test('many objects are evaluated together, each with its own result', async () => {
  const objects = Array.from({ length: 450 }, (_, i) => ({ list: Array.from({ length: i % 3 }, () => 0) }));
  const found = await Promise.all(objects.map((object) => jq.paths('.list[]', object)));
  assert.deepEqual(
    found.map((paths) => paths.length),
    objects.map(({ list }) => list.length),
  );
});

for (const expression of ['.spec..[', '.a) , (.b', 'include "x"; .a', '$unknown']) {
  test(`${expression} is rejected, and the error contains it`, async () => {
    await assert.rejects(jq.paths(expression, {}), (error: Error) => {
      assert.ok(error instanceof JqError);
      assert.ok(error.message.startsWith(`jq path expression ${expression}: `), error.message);
      return true;
    });
  });
}

test('an expression that reads other documents fails with a specific error', async () => {
  await assert.rejects(Promise.all([jq.paths('input', { a: 1 }), jq.paths('halt', { a: 1 })]), JqError);
});

test('an endless expression is stopped, also among others, and the next one runs', async () => {
  const quick = createJq({ timeMs: 800 });
  after(() => quick.close());
  const endless = 'if .bad then last(repeat(.)) else .good end';
  const [good, bad] = await Promise.allSettled([
    quick.paths(endless, { good: 1 }),
    quick.paths(endless, { bad: true }),
  ]);
  assert.deepEqual(good, { status: 'fulfilled', value: [['good']] });
  assert.match(String((bad as PromiseRejectedResult).reason.message), /did not end within 0\.8 s/);
  assert.deepEqual(await quick.paths('.a', { a: 1 }), [['a']]);
});

test('an expression cannot read the environment of the process', async () => {
  process.env['FAIRLEAD_TEST_SECRET'] = 'seen';
  const other = createJq();
  after(() => other.close());
  assert.deepEqual(await other.paths('select(env.FAIRLEAD_TEST_SECRET == null) | .clean', {}), [['clean']]);
});
