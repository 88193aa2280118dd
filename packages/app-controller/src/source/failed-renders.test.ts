import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError, type RenderErrorReason } from '@fairlead/render';
import { FailedRenders } from './failed-renders.ts';

function broken(reason: RenderErrorReason | 'other') {
  const state = { now: 0, renders: 0 };
  const failures = new FailedRenders({ now: () => state.now });
  const attempt = (key = 'a', again = false): Promise<string> =>
    failures
      .attempt(
        () => key,
        again,
        async () => {
          state.renders += 1;
          throw reason === 'other' ? new Error('x') : new RenderError(reason, 'x');
        },
      )
      .then(
        () => 'well',
        (error: Error) => error.message,
      );
  return { state, failures, attempt };
}

test('a render that exceeded a limit is not repeated for a while', async () => {
  const { state, attempt } = broken('LimitExceeded');
  assert.deepEqual([await attempt(), await attempt(), state.renders], ['x', 'x', 1]);
  await attempt('b');
  assert.equal(state.renders, 2, 'another source is another matter');
  state.now = 60_000;
  await attempt();
  assert.equal(state.renders, 3);
});

test('an explicit request renders again', async () => {
  const { state, attempt, failures } = broken('LimitExceeded');
  await attempt();
  await attempt('a', true);
  assert.equal(state.renders, 2);
  assert.equal(
    await failures.attempt(
      () => 'a',
      true,
      async () => 'well',
    ),
    'well',
  );
  assert.equal(
    await failures.attempt(
      () => 'a',
      false,
      async () => 'well',
    ),
    'well',
    'a success ends it',
  );
});

test('failures that are cached elsewhere or are transient are not cached here', async () => {
  for (const reason of ['TemplateFailed', 'other'] as const) {
    const { state, attempt } = broken(reason);
    await attempt();
    await attempt();
    assert.equal(state.renders, 2, reason);
  }
});

test('the key of a render is not computed unless a render has failed', async () => {
  const failures = new FailedRenders({ now: () => 0 });
  const key = (): string => assert.fail('the key was computed');
  assert.equal(await failures.attempt(key, false, async () => 'well'), 'well');
});
