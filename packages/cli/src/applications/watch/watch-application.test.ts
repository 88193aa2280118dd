import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { apiError } from '@fairlead/apimachinery';
import { type ApiClient, TransportError } from '@fairlead/kube';
import { VirtualClock } from '@fairlead/sim';
import { application } from '../../../test/support/application.ts';
import { follow } from './watch-application.ts';

const key = { namespace: 'argocd', name: 'web' };
const at = (health: string): Application => application({ status: { health: { status: health } } });

/** A server with a scripted watch. */
function server(watch: ApiClient['watch']) {
  const state: { now: Application | Error; reads: number } = { now: at('Progressing'), reads: 0 };
  const client = {
    watch,
    get: async () => {
      state.reads += 1;
      if (state.now instanceof Error) throw state.now;
      return state.now;
    },
  } as unknown as Pick<ApiClient, 'get' | 'watch'>;
  return { state, client };
}

/** Sends no events. */
const silent: ApiClient['watch'] = async function* (_, options) {
  await new Promise<void>((resolve) => options?.signal?.addEventListener('abort', () => resolve()));
  yield* [];
};

async function until(client: Pick<ApiClient, 'get' | 'watch'>, clock: VirtualClock, health: string): Promise<string[]> {
  const seen: string[] = [];
  for await (const now of follow(client, key, { signal: new AbortController().signal, clock })) {
    seen.push(now?.status?.health?.status ?? 'gone');
    if (seen.at(-1) === health) break;
  }
  return seen;
}

test('a change is observed even if its event is lost', async () => {
  const clock = new VirtualClock();
  const { state, client } = server(silent);
  const done = until(client, clock, 'Healthy');
  await clock.advance(1_000);
  state.now = at('Healthy');
  await clock.advance(2_000);
  assert.deepEqual(await done, ['Progressing', 'Healthy']);
});

test('polls if the watch is rejected', async () => {
  const clock = new VirtualClock();
  // biome-ignore lint/correctness/useYield: it fails before it could.
  const { state, client } = server(async function* () {
    throw apiError(403, 'Forbidden', 'no watching');
  });
  const done = until(client, clock, 'gone');
  await clock.advance(3_000);
  state.now = apiError(404, 'NotFound', 'gone', { name: 'web' });
  await clock.advance(2_000);
  assert.equal((await done).at(-1), 'gone');
});

test('an event triggers a read at once', async () => {
  const clock = new VirtualClock();
  let send = (): void => {};
  const { state, client } = server(async function* () {
    await new Promise<void>((resolve) => {
      send = resolve;
    });
    yield { type: 'MODIFIED', object: at('Healthy') } as never;
    await new Promise(() => {});
  });
  const done = until(client, clock, 'Healthy');
  await clock.advance(10);
  state.now = at('Healthy');
  send();
  await clock.advance(10);
  assert.deepEqual(await done, ['Progressing', 'Healthy']);
});

test('tolerates an unreachable cluster for a while, not forever', async () => {
  const clock = new VirtualClock();
  const { state, client } = server(silent);
  const done = until(client, clock, 'Healthy');
  await clock.advance(100);
  state.now = new TransportError('GET', new Error('refused'));
  await clock.advance(10_000);
  state.now = at('Healthy');
  await clock.advance(3_000);
  assert.equal((await done).at(-1), 'Healthy');
  state.now = new TransportError('GET', new Error('refused'));
  const given = until(client, clock, 'Healthy').catch((error: unknown) => error);
  await clock.advance(60_000);
  assert.ok((await given) instanceof TransportError);
});
