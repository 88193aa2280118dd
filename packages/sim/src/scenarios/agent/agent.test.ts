import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runScenario } from '../../scenario.ts';
import { planSeeds } from '../../seed-plan.ts';
import { scenarios } from '../index.ts';
import { actNames } from './acts.ts';
import { faultNames } from './faults.ts';
import { agentCell, agentPairs, agentTriples, pairs, pairsOf } from './matrix.ts';
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

const operations = [
  'create',
  'spec edit',
  'metadata edit',
  'destination edit',
  'status',
  'refresh',
  'sync',
  'terminate',
  'cascade delete',
  'non-cascade delete',
  're-create same',
  're-create other',
  'wrong-side edit',
  'wrong-side delete',
  'both-sides delete',
  'adopt',
  'big message',
  'project',
  'repository',
  'poison message',
  'move',
];
const accidents = [
  'none',
  'drop',
  'duplicate',
  'reorder',
  'drop, duplicate and reorder',
  'cut as messages travel',
  'cut once',
  'partition',
  'agent is not heard',
  'principal is not heard',
  'principal crashes',
  'agent crashes',
  'both crash',
  'principal is down',
  'agent is down',
  'both are down',
  'watch gap at the hub',
  'watch gap at the agent',
  'silent watch at the hub',
  'silent watch at the agent',
  'stale lists at the hub',
  'stale lists at the agent',
  'conflicts at the hub',
  'conflicts at the agent',
  'errors at the hub',
  'errors at the agent',
  'timeouts at the hub',
  'timeouts at the agent',
  'forbidden for a while',
  'invalid for a while',
  'slow consumer',
  'slow principal',
  'clock of the principal jumps',
  'clock of the agent jumps',
  'token expires',
  'an impostor of the name',
  'hub restored from a backup',
  'delay',
  'partition before a send',
  'partition after an apply',
  'partition during an answer',
  'garbled messages',
  'a twin of the agent',
  'full outboxes',
  'the files of the outboxes are lost',
  'the files of the outboxes are old',
  'the files of the outboxes are damaged',
];

test('the matrix has every operation and every fault of the list, and a cell for every pair', () => {
  assert.deepEqual(actNames, operations);
  assert.deepEqual(faultNames, accidents);
  const cells = new Set(pairs.map(({ mode, acts, faults }) => [mode, ...acts, ...faults].join(' | ')));
  const has = (...words: readonly string[]): boolean => cells.has(words.join(' | '));
  for (const mode of ['managed', 'autonomous', 'managed by destination'])
    for (const act of operations) for (const fault of accidents) assert.ok(has(mode, act, fault), `${act}, ${fault}`);
  for (const mode of ['managed', 'autonomous']) {
    for (const act of operations) for (const other of operations) assert.ok(has(mode, act, other), `${act}, ${other}`);
    for (const [index, fault] of accidents.entries())
      for (const other of accidents.slice(index + 1)) assert.ok(has(mode, fault, other), `${fault}, ${other}`);
  }
  assert.equal(pairs.length, 2 * (21 * 47 + 21 * 21 + (47 * 46) / 2) + 21 * 47);
});

test('docs/agent.md lists every seeded bug that the simulation finds', () => {
  const page = readFileSync(new URL('../../../../../docs/agent.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('| invariant | a bug that breaks it, and is found |');
  const listed = [...table.matchAll(/^\| [^|]+ \| (an? [^|]+|messages [^|]+) \|$/gmu)].map(([, mistake]) => mistake);
  assert.deepEqual(listed.toSorted(), mutations.map(({ mistake }) => mistake).toSorted());
});

test('ten thousand schedules of npm run sim cover every cell', () => {
  const own = planSeeds(scenarios, 10_000, 1).filter(({ scenario }) => scenario === 'agent-pairs');
  assert.equal(new Set(own.map(({ seed }) => seed % pairs.length)).size, pairs.length);
});

/** Pairs of two actions and of two faults are left to `npm run sim`. */
const cellsHere = [...pairs.keys()].filter(
  (index) => pairs[index]!.acts.length === 1 && pairs[index]!.faults.length > 0,
);

test(`every action with every fault, in both modes and by destination: ${cellsHere.length} schedules`, async () => {
  assert.ok(cellsHere.length >= 2_000);
  assert.deepEqual(await failures(agentPairs(), cellsHere), []);
});

test('three and more actions and faults at once, at random', async () => {
  assert.deepEqual(await failures(agentTriples(), range(1, 101)), []);
});

test('schedules that failed before pass', async () => {
  for (const { words, seedsPerCell, pairs: ofPairs, triples } of pastFailures) {
    const cells = pairsOf(words);
    for (const seed of ofPairs) {
      const cell = cells[Math.floor(seed / seedsPerCell) % cells.length]!;
      assert.deepEqual(await failures(agentCell(cell, {}, words), [seed]), []);
    }
    assert.deepEqual(await failures(agentTriples({}, words), triples), []);
  }
});

for (const { invariant, mistake, parts, settings, says, cells } of mutations) {
  test(`${invariant}: detects ${mistake}`, async () => {
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
