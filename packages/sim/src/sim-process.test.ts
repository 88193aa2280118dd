import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from './world.ts';

test('nothing of a crashed process happens any more', async () => {
  const world = new World(1);
  const process = world.process('app');
  let ran = 0;
  process.clock.after(5, () => (ran += 1));
  process.clock.after(15, () => (ran += 1));
  await world.pass(10);
  process.crash();
  await world.pass(10);
  assert.equal(ran, 1);
});

test('a process that stands still does at the end what was due meanwhile', async () => {
  const world = new World(1);
  const process = world.process('app');
  const ran: number[] = [];
  for (const ms of [5, 15, 150]) process.clock.after(ms, () => ran.push(world.clock.now() - world.began));
  const cancel = process.clock.after(20, () => ran.push(-1));
  process.pause(100);
  await world.pass(50);
  assert.deepEqual(ran, []);
  cancel();
  await world.pass(200);
  assert.deepEqual(ran, [100, 100, 150]);
});

test('a broken rule ends the run with its words, wherever it was seen', async () => {
  const world = new World(1);
  world.schedule(10, 'an event', () => world.check(1 + 1 === 3, 'arithmetic'));
  await assert.rejects(world.pass(100), /arithmetic/);
  assert.deepEqual(world.lines, ['10 an event', '10 BROKEN arithmetic']);
});
