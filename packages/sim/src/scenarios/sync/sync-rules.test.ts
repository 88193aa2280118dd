import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { runScenario } from '../../scenario.ts';
import { brokenWirings, sameSecond } from './broken-wirings.ts';
import { forwarding } from './forwarding.ts';
import { syncConverges } from './sync-converges.ts';
import { syncCrashPoints } from './sync-crash-points.ts';
import { syncRequests } from './sync-requests.ts';
import type { Wiring } from './sync-simulation.ts';

for (const { what, wiring, found } of brokenWirings) {
  test(`the scenario detects a controller that ${what}`, async () => {
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

/** A new process does not know the hooks of its predecessor at its first reads. */
const forgetful: Wiring = (client) => {
  let reads = 0;
  const get = async (...args: Parameters<ApiClient['get']>): Promise<KubeObject> => {
    const object = await client.get(...args);
    if (object.kind !== 'Job' || ++reads > 2) return object;
    return { ...object, metadata: { ...object.metadata, annotations: {} } };
  };
  return { ...forwarding(client), get: get as ApiClient['get'] };
};

test('the scenario detects a crash that makes a hook run twice', async () => {
  const errors: string[] = [];
  for (let seed = 0; seed < 140 && !/twice/.test(errors.at(-1) ?? ''); seed++) {
    const { error } = await runScenario(syncCrashPoints(forgetful), seed);
    if (error !== undefined) errors.push(String(error));
  }
  assert.match(errors.at(-1) ?? '', /was run twice for one try/);
});

test('the scenario detects a controller that treats two operations in the same second as one', async () => {
  const errors: string[] = [];
  for (let seed = 1; seed <= 20 && !/did not run/.test(errors.at(-1) ?? ''); seed++) {
    const { error } = await runScenario(syncRequests(sameSecond), seed);
    if (error !== undefined) errors.push(String(error));
  }
  assert.match(errors.at(-1) ?? '', /did not run for an operation that succeeded/);
});
