import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runScenario } from '@fairlead/sim';
import { closeEngine, serviceBurst, serviceCrashPoints, serviceStorm } from '@fairlead/sim/service';

after(closeEngine);

/**
 * A sample; `npm run sim -- --scenario service-crash-points --seeds 440` covers every write, with self-healing and without, and
 * `service-storm` runs any number.
 */
const seeds = (first: number, step: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + step * index);

test('a crash before or after any write does not change the result', async () => {
  for (const seed of seeds(3, 11, 12)) assert.equal((await runScenario(serviceCrashPoints, seed)).error, undefined);
});

test('after many rapid changes by a tenant, the last one is deployed', async () => {
  for (const seed of seeds(1, 1, 8)) assert.equal((await runScenario(serviceBurst, seed)).error, undefined);
});

test('after a series of crashes, lost responses and database outages, all sides agree', async () => {
  for (const seed of seeds(1, 1, 6)) assert.equal((await runScenario(serviceStorm, seed)).error, undefined);
});
