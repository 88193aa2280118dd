import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScenario } from '../../scenario.ts';
import { brokenWirings } from './broken-wirings.ts';
import { syncConverges } from './sync-converges.ts';

for (const { what, wiring, found } of brokenWirings) {
  test(`a controller that ${what} is found out`, async () => {
    const scenario = syncConverges(wiring);
    const errors: string[] = [];
    for (let seed = 1; seed <= 150; seed++) {
      const { error } = await runScenario(scenario, seed);
      if (error === undefined) continue;
      errors.push(String(error));
      if (found.test(String(error))) return;
    }
    assert.fail(`not found; only: ${[...new Set(errors)].slice(0, 5).join('\n')}`);
  });
}
