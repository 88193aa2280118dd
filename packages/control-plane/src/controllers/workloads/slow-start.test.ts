import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slowStart } from './slow-start.ts';

test('batches double while all succeed, and the first failure ends after its batch', async () => {
  const started: number[] = [];
  await slowStart([...Array(10).keys()], async (index) => void started.push(index));
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

  const tried: number[] = [];
  const run = async (index: number) => {
    tried.push(index);
    if (index === 3) throw new Error('no room');
  };
  await assert.rejects(slowStart([...Array(100).keys()], run), /no room/);
  assert.deepEqual(tried, [0, 1, 2, 3, 4, 5, 6]);
});

test('an error that affects all is attempted once', async () => {
  let tries = 0;
  const run = async () => {
    tries += 1;
    throw new Error('quota');
  };
  await assert.rejects(slowStart([...Array(500).keys()], run), /quota/);
  assert.equal(tries, 1);
});
