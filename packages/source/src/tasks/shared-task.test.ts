import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RepeatedTask } from './shared-task.ts';

/** A task whose runs end when the test calls `end`, each with its number. */
function counted() {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const task = new RepeatedTask(async () => {
    const number = ends.length + 1;
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
    return number;
  });
  return { task, end: (number: number) => ends[number - 1]!(), most: () => most };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('join uses the current run; a caller that needs a later one shares the next', async () => {
  const { task, end } = counted();
  const asked = [task.join(), task.join(), task.after(), task.after()];
  end(1);
  await settle();
  end(2);
  assert.deepEqual(await Promise.all(asked), [1, 1, 2, 2]);
});

test('there is one run at a time, also for requests at the end of a run', async () => {
  const { task, end, most } = counted();
  const first = task.join();
  const second = task.after();
  const third = first.then(() => task.after());
  end(1);
  await settle();
  end(2);
  assert.deepEqual(await Promise.all([second, third]), [2, 2]);
  assert.equal(most(), 1);
});
