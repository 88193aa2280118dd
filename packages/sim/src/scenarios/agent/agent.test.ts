import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScenario } from '../../scenario.ts';
import { agentCell, agentPairs, agentTriples, pairs } from './matrix.ts';
import { mutations } from './mutations.ts';
import { pastFailures } from './past-failures.ts';

async function failures(scenario: ReturnType<typeof agentPairs>, seeds: Iterable<number>): Promise<string[]> {
  const messages: string[] = [];
  for (const seed of seeds) {
    const { error } = await runScenario(scenario, seed);
    if (error !== undefined) messages.push(`seed ${seed}: ${String(error)}`);
  }
  return messages;
}

function* range(from: number, to: number): Generator<number> {
  for (let seed = from; seed < to; seed++) yield seed;
}

/** Faults with faults are left to `npm run sim`: every act with every fault and with every act is more than two thousand. */
const withActs = [...pairs.keys()].filter((index) => pairs[index]!.acts.length > 0);

test(`every act with every fault and with every act, in both modes: ${withActs.length} schedules`, async () => {
  assert.ok(withActs.length >= 2_000);
  assert.deepEqual(
    await failures(
      agentPairs(),
      withActs.map((index) => 2 * index),
    ),
    [],
  );
});

test('three and more at once, drawn at random', async () => {
  assert.deepEqual(await failures(agentTriples(), range(1, 101)), []);
});

test('schedules that once failed stay passed', async () => {
  assert.deepEqual(await failures(agentPairs(), pastFailures.pairs), []);
  assert.deepEqual(await failures(agentTriples(), pastFailures.triples), []);
});

for (const { invariant, mistake, parts, settings, says, cells } of mutations) {
  test(`${invariant}: found out with ${mistake}`, async () => {
    const found: string[] = [];
    for (let seed = 1; seed <= 150; seed++) {
      const cell = cells[seed % cells.length]!;
      const { error } = await runScenario(agentCell(cell, { ...settings, parts }), seed);
      if (error instanceof Error) found.push(error.message);
      if (error instanceof Error && says.test(error.message)) return;
    }
    assert.fail(`not found in 150 schedules; what was: ${[...new Set(found)].slice(0, 5).join(' | ')}`);
  });
}
