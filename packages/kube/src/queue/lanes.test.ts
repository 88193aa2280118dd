import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Lanes, type LanesOptions } from './lanes.ts';

const laneOf = (key: string) => key.split('/')[0]!;

function filled(options: Partial<LanesOptions>, counts: Record<string, number>): Lanes {
  const lanes = new Lanes({ laneOf, ...options });
  for (const [lane, count] of Object.entries(counts)) {
    for (let i = 0; i < count; i++) lanes.push(`${lane}/${i}`, 0);
  }
  return lanes;
}

function popped(lanes: Lanes, count: number, finish = true): string[] {
  return Array.from({ length: count }, () => {
    const key = lanes.pop();
    if (key !== undefined && finish) lanes.done(key);
    return key === undefined ? '-' : laneOf(key);
  });
}

test('a flood in one lane does not delay other lanes', () => {
  const lanes = filled({}, { flood: 10_000, a: 2, b: 1 });
  const first = popped(lanes, 6);
  assert.deepEqual(first.filter((lane) => lane !== 'flood').sort(), ['a', 'a', 'b']);
});

test('lanes with work are served in the ratio of their weights', () => {
  const limits = (lane: string) => ({ weight: lane === 'heavy' ? 3 : 1 });
  const turns = popped(filled({ limits }, { heavy: 100, light: 100 }), 80);
  assert.equal(turns.filter((lane) => lane === 'heavy').length, 60);
});

test('a lane at its limit is skipped until one of its keys is done', () => {
  const lanes = filled({ limits: () => ({ maxInFlight: 2 }) }, { a: 5 });
  assert.deepEqual([lanes.pop(), lanes.pop(), lanes.pop()], ['a/0', 'a/1', undefined]);
  lanes.push('b/0', 0);
  assert.equal(lanes.pop(), 'b/0');
  lanes.done('a/1');
  assert.deepEqual([lanes.pop(), lanes.pop()], ['a/2', undefined]);
  assert.equal(lanes.length, 2);
});

test('a lane does not save up turns while it is empty, and gains none by emptying after every key', () => {
  const lanes = filled({}, { busy: 1_000 });
  popped(lanes, 500);
  const turns: string[] = [];
  for (let i = 0; i < 100; i++) {
    if (lanes.lengthOf('thrifty/0') === 0) lanes.push('thrifty/0', 0);
    turns.push(...popped(lanes, 1));
  }
  const thrifty = turns.filter((lane) => lane === 'thrifty').length;
  assert.ok(thrifty >= 49 && thrifty <= 51, `${thrifty} of 100 turns`);
});

test('an idle lane is reported, so that its series can be dropped', () => {
  const idle: string[] = [];
  const lanes = filled({ onIdle: (lane) => idle.push(lane) }, { a: 2, b: 1 });
  popped(lanes, 3);
  assert.deepEqual(idle.sort(), ['a', 'b']);
});

test('priority applies within a lane, not between lanes', () => {
  const lanes = new Lanes({ laneOf });
  lanes.push('a/1', 0);
  lanes.push('a/2', 9);
  lanes.push('b/1', 0);
  assert.deepEqual([lanes.pop(), lanes.pop(), lanes.pop()], ['a/2', 'b/1', 'a/1']);
});

test('a weight or a limit of zero is rejected', () => {
  const lanes = new Lanes({ laneOf, limits: (lane) => (lane === 'a' ? { weight: 0 } : { maxInFlight: 0 }) });
  assert.throws(() => lanes.push('a/1', 0), /lane 'a'/);
  assert.throws(() => lanes.push('b/1', 0), /lane 'b'/);
});

test('while all lanes have work, each is close to its share of turns and meets it at the end of every round', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 2, maxLength: 6 }), (weights) => {
      const limits = (lane: string) => ({ weight: weights[Number(lane)]! });
      const total = weights.reduce((a, b) => a + b);
      const lanes = filled({ limits }, Object.fromEntries(weights.map((_, i) => [String(i), total * 3])));
      const counts = weights.map(() => 0);
      for (let turn = 1; turn <= total * 2; turn++) {
        const lane = Number(popped(lanes, 1)[0]);
        counts[lane]! += 1;
        for (const [i, weight] of weights.entries()) {
          const share = (turn * weight) / total;
          assert.ok(Math.abs(counts[i]! - share) <= weights.length, `lane ${i} had ${counts[i]} of ${share}`);
        }
      }
      assert.deepEqual(
        counts,
        weights.map((weight) => weight * 2),
      );
    }),
  );
});
