import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScenario } from '@fairlead/sim';
import { limitsScenario, prepullLimits } from '@fairlead/sim/prepull';

const small = { nodes: 6, images: 4, limits: { cluster: 7, node: 2, registry: 4, tenant: 5 }, troubles: 4 };

test('no limit is exceeded at any time, despite crashes and failovers', async () => {
  const scenario = prepullLimits();
  for (let seed = 1; seed <= 40; seed++) {
    const { error } = await runScenario(scenario, seed);
    if (error) assert.fail(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
  }
});

test('a hundred nodes pull ten images: no limit is exceeded, and a Job is not deleted repeatedly while the watch is late', async () => {
  const limits = { cluster: 80, node: 2, registry: 40, tenant: 40 };
  const scenario = limitsScenario({ name: 'fleet', nodes: 100, images: 10, limits, troubles: 10, failing: [20] });
  const { error, trace } = await runScenario(scenario, 1);
  assert.equal(error, undefined);
  const count = (request: string) => trace.filter((line) => line.includes(request)).length;
  assert.ok(count(' create jobs ') >= 1000);
  assert.ok(
    count(' delete jobs ') < 1.5 * count(' create jobs '),
    `${count(' delete jobs ')} deletions for ${count(' create jobs ')} Jobs`,
  );
});

for (const [dimension, assumed] of [
  ['cluster', { ...small.limits, cluster: 8 }],
  ['node', { ...small.limits, node: 3 }],
  ['registry', { ...small.limits, registry: 5 }],
  ['tenant', { ...small.limits, tenant: 6 }],
] as const) {
  test(`the test detects a controller that exceeds the limit per ${dimension} by one`, async () => {
    const scenario = limitsScenario({ name: 'prepull-limits', ...small, assumed });
    let caught = 0;
    for (let seed = 1; seed <= 10 && caught === 0; seed++) if ((await runScenario(scenario, seed)).error) caught += 1;
    assert.ok(caught > 0);
  });
}
