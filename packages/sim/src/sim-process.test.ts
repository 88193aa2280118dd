import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Simulation } from './simulation.ts';

test('a crashed process does nothing more', async () => {
  const sim = new Simulation(1);
  const process = sim.process('app');
  let ran = 0;
  process.clock.after(5, () => (ran += 1));
  process.clock.after(15, () => (ran += 1));
  await sim.pass(10);
  process.crash();
  await sim.pass(10);
  assert.equal(ran, 1);
});

test('a paused process runs due timers when it resumes', async () => {
  const sim = new Simulation(1);
  const process = sim.process('app');
  const ran: number[] = [];
  for (const ms of [5, 15, 150]) process.clock.after(ms, () => ran.push(sim.clock.now() - sim.began));
  const cancel = process.clock.after(20, () => ran.push(-1));
  process.pause(100);
  await sim.pass(50);
  assert.deepEqual(ran, []);
  cancel();
  await sim.pass(200);
  assert.deepEqual(ran, [100, 100, 150]);
});

test('a violated invariant ends the run with its message, wherever it was detected', async () => {
  const sim = new Simulation(1);
  sim.schedule(10, 'an event', () => sim.check(1 + 1 === 3, 'arithmetic'));
  await assert.rejects(sim.pass(100), /arithmetic/);
  assert.deepEqual(sim.lines, ['10 an event', '10 BROKEN arithmetic']);
});
