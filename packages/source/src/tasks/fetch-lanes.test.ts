import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FetchLanes } from './fetch-lanes.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function recorded(slots: number) {
  const lanes = new FetchLanes(slots);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const fetch = (name: string, ...of: [string, number][]) =>
    lanes.run(
      of.map(([lane, count]) => ({ name: lane, slots: count })),
      () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
    );
  return { started, fetch, end: (name: string) => ends.get(name)!() };
}

test('a full lane does not block fetches of other lanes', async () => {
  const { started, fetch } = recorded(3);
  for (const n of [1, 2, 3]) void fetch(`slow-${n}`, ['slow', 2]);
  void fetch('other', ['other', 2]);
  await settle();
  assert.deepEqual(started, ['slow-1', 'slow-2', 'other']);
});

test('fetches start in order when a slot of all their lanes is free', async () => {
  const { started, fetch, end } = recorded(10);
  void fetch('a', ['host', 1], ['p', 2]);
  void fetch('b', ['host', 1], ['p', 2]);
  void fetch('c', ['host', 1], ['q', 2]);
  await settle();
  assert.deepEqual(started, ['a']);
  end('a');
  await settle();
  assert.deepEqual(started, ['a', 'b']);
  end('b');
  await settle();
  assert.deepEqual(started, ['a', 'b', 'c']);
});

test('the total limits all lanes together, and a failed fetch releases its slot', async () => {
  const { started, fetch } = recorded(1);
  const lanes = new FetchLanes(1);
  await assert.rejects(
    lanes.run([], () => Promise.reject(new Error('refused'))),
    /refused/,
  );
  await lanes.run([], async () => {});
  void fetch('a', ['x', 5]);
  void fetch('b', ['y', 5]);
  await settle();
  assert.deepEqual(started, ['a']);
});
