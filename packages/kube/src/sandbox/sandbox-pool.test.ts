import assert from 'node:assert/strict';
import { getuid } from 'node:process';
import { after, test } from 'node:test';
import type { TestProtocol } from '../../test/support/sandboxed.ts';
import { SandboxPool, type SandboxPoolOptions } from './sandbox-pool.ts';

function pool(options: Partial<SandboxPoolOptions> = {}): SandboxPool<TestProtocol> {
  const entry = new URL('../../test/support/sandboxed.ts', import.meta.url);
  const created = new SandboxPool<TestProtocol>({
    entry,
    name: 'the test pool',
    workers: 1,
    reserve: 1,
    timeMs: 20_000,
    memoryMb: 48,
    ...options,
  });
  after(() => created.close());
  return created;
}
const run = (of: SandboxPool<TestProtocol>, act: TestProtocol['task']['act'], lane = '') =>
  of.run(lane, { task: { act } });

test('a sandbox has no environment, files, child processes or threads', async () => {
  const one = pool();
  assert.equal(await run(one, 'environment'), 0);
  for (const act of ['file', 'process', 'thread'] as const) assert.equal(await run(one, act), 'ERR_ACCESS_DENIED', act);
});

test('a task can send parts and requests', async () => {
  const parts: string[] = [];
  const result = await pool().run('', {
    task: { act: 'ask', parts: ['a', 'b'] },
    onRequest: async (request) => `the reply to ${request}`,
    onPart: (part) => parts.push(part),
  });
  assert.equal(result, 'the reply to question');
  assert.deepEqual(parts, ['a', 'b']);
});

test('an error in a task is its result, and the sandbox is reused', async () => {
  const one = pool();
  const pid = await run(one, 'pid');
  await assert.rejects(run(one, 'fail'), { message: 'on purpose' });
  assert.equal(await run(one, 'pid'), pid);
});

test('an error in a reply ends the task and its sandbox', async () => {
  const one = pool();
  const failing = one.run('', {
    task: { act: 'ask' },
    onRequest: async () => {
      throw new RangeError('too many');
    },
  });
  await assert.rejects(failing, RangeError);
  assert.equal(one.replaced, 1);
});

test('a loop is stopped at its CPU time limit, and the next task runs', async () => {
  const one = pool({ timeMs: 300 });
  await assert.rejects(run(one, 'loop'), { limit: 'time', message: 'it took longer than the limit of 0.3 s' });
  assert.equal(await run(one, 'environment'), 0);
  assert.equal(one.replaced, 1);
});

test('a task that exceeds its memory limit is stopped, and the next one runs', async () => {
  const one = pool();
  await assert.rejects(run(one, 'memory'), { limit: 'memory' });
  assert.equal(await run(one, 'environment'), 0);
});

test('a task fails if its sandbox exits, and the next one runs', async () => {
  const one = pool();
  await assert.rejects(run(one, 'exit'), /the sandbox ended with code 3/);
  assert.equal(await run(one, 'environment'), 0);
});

test('a sandbox that is killed while it is idle is not used again', async () => {
  const one = pool();
  const pid = await run(one, 'pid');
  process.kill(Number(pid), 'SIGKILL');
  while (isRunning(Number(pid))) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.notEqual(await run(one, 'pid'), pid);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a long task gets a lower priority, and its sandbox is reused only if the priority can be restored', async () => {
  const one = pool({ longMs: 100 });
  const pid = await run(one, 'pid');
  await run(one, 'long');
  assert.equal(await run(one, 'priority'), 0);
  assert.equal((await run(one, 'pid')) === pid, getuid?.() === 0);
});

test('a lane whose tasks loop does not delay another, and is paused', async () => {
  const timers: { ms: number; run: () => void }[] = [];
  let now = 0;
  const clock = {
    now: () => now,
    after(ms: number, act: () => void) {
      timers.push({ ms, run: act });
      return () => {};
    },
  };
  const one = pool({ timeMs: 300, clock });
  const loops = [1, 2, 3].map(() => run(one, 'loop', 'hostile').catch((error: Error) => error.message));
  assert.equal(await run(one, 'environment', 'honest'), 0);
  assert.equal(one.active, 1, 'the loops are still running');
  await Promise.all(loops.slice(0, 2));
  assert.equal(one.active, 0);
  const pause = timers.findLast(({ ms }) => ms === 1_000);
  now = 1_000;
  pause?.run();
  assert.equal(one.active, 1);
  await Promise.all(loops);
});

test('close ends running, waiting and new tasks at once', async () => {
  const one = pool();
  const tasks = [run(one, 'loop'), run(one, 'loop')].map((task) => assert.rejects(task, /the test pool is closed/));
  const pid = await run(one, 'pid', 'other');
  const began = performance.now();
  await one.close();
  assert.ok(performance.now() - began < 5_000);
  await Promise.all(tasks);
  await assert.rejects(run(one, 'pid'), /is closed/);
  assert.equal(isRunning(Number(pid)), false);
});
