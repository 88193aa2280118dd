import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runScenario } from '../../scenario.ts';
import { serviceMutations } from './mutations.ts';
import { closeEngine } from './sim-database.ts';

after(closeEngine);

const most = 60;
for (const { invariant, mistake, scenario, says } of serviceMutations) {
  test(`${invariant}: detects ${mistake}`, async () => {
    const found: string[] = [];
    for (let seed = 1; seed <= most; seed++) {
      const { error } = await runScenario(scenario, seed);
      if (!(error instanceof Error)) continue;
      if (says.test(error.message)) return;
      found.push(error.message);
    }
    assert.fail(`not found in ${most} schedules; what was: ${[...new Set(found)].slice(0, 5).join(' | ')}`);
  });
}
