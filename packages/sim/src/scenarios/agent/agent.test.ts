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

test(`every act with every fault, every act with every act, every fault with every fault: ${pairs.length} pairs`, async () => {
  assert.ok(pairs.length >= 2_000);
  assert.deepEqual(await failures(agentPairs(), range(0, pairs.length)), []);
});

test('three and more at once, drawn at random', async () => {
  assert.deepEqual(await failures(agentTriples(), range(1, 300)), []);
});

test('schedules that once failed stay passed', async () => {
  assert.deepEqual(await failures(agentPairs(), pastFailures.pairs), []);
  assert.deepEqual(await failures(agentTriples(), pastFailures.triples), []);
});

for (const { invariant, mistake, parts, says, cells } of mutations) {
  test(`${invariant}: found out with ${mistake}`, async () => {
    const found: string[] = [];
    for (let seed = 1; seed <= 150; seed++) {
      const cell = cells[seed % cells.length]!;
      const { error } = await runScenario(agentCell(cell, { parts }), seed);
      if (error instanceof Error) found.push(error.message);
      if (error instanceof Error && says.test(error.message)) return;
    }
    assert.fail(`not found in 150 schedules; what was: ${[...new Set(found)].slice(0, 5).join(' | ')}`);
  });
}
