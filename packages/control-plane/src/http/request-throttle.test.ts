import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestThrottle } from './request-throttle.ts';

/** Requests a turn and records when it was granted. */
const asking =
  (throttle: RequestThrottle, served: string[]) => async (user: string, namespace: string, name: string) => {
    const wait = throttle.admit(user, namespace);
    if (wait) await wait;
    served.push(name);
  };

test('without a flood no request waits', () => {
  const throttle = new RequestThrottle({ now: () => 0 });
  for (let i = 0; i < 100; i++) assert.equal(throttle.admit('ann', 'a'), undefined);
});

test('a request of another user overtakes the waiting requests of one user', async () => {
  const served: string[] = [];
  const ask = asking(new RequestThrottle({ turnMs: 0, perTurn: 2 }), served);
  const flood = Array.from({ length: 50 }, (_, i) => ask('ann', 'a', `ann ${i}`));
  await Promise.all([...flood, ask('bob', 'a', 'bob')]);
  assert.equal(served.length, 51);
  assert.ok(served.indexOf('bob') <= 2, served.slice(0, 5).join());
});

test('the namespaces of one user alternate, and each is served in order', async () => {
  const served: string[] = [];
  const ask = asking(new RequestThrottle({ turnMs: 0 }), served);
  await Promise.all([
    ...Array.from({ length: 20 }, (_, i) => ask('admin', 'a', `a${i}`)),
    ...Array.from({ length: 3 }, (_, i) => ask('admin', 'b', `b${i}`)),
  ]);
  assert.ok(served.indexOf('b2') <= 7, served.join());
  assert.deepEqual(
    served.filter((name) => name.startsWith('a')),
    Array.from({ length: 20 }, (_, i) => `a${i}`),
  );
});

test('new requests are accepted between the requests of a flood', async () => {
  const served: string[] = [];
  const ask = asking(new RequestThrottle({ turnMs: 0, perTurn: 4 }), served);
  const flood = Promise.all(Array.from({ length: 40 }, (_, i) => ask('ann', 'a', `ann ${i}`)));
  await new Promise((resolve) => setImmediate(resolve));
  const late = ask('bob', 'a', 'bob');
  await Promise.all([flood, late]);
  assert.ok(served.indexOf('bob') < 12, `bob came after ${served.indexOf('bob')}`);
});

test('a flood pauses while others are active, and they are served', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const served: string[] = [];
  const ask = asking(new RequestThrottle({ turnMs: 0, perTurn: 4, restMs: 50 }), served);
  const throttle = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const ofAnn = (): number => served.filter((name) => name === 'ann').length;
  void ask('bob', 'b', 'bob');
  const flood = Promise.all(Array.from({ length: 100 }, () => ask('ann', 'a', 'ann')));
  await throttle(200);
  const before = ofAnn();
  assert.ok(before < 50, `${before} were served before the flood rested`);
  await ask('bob', 'b', 'bob again');
  assert.equal(ofAnn(), before, 'the flood rests');
  t.mock.timers.tick(50);
  await throttle(50);
  assert.equal(ofAnn(), before + 4, 'as many as there are places');
  for (let i = 0; i < 40; i++) {
    t.mock.timers.tick(50);
    await throttle(50);
  }
  await flood;
  assert.equal(ofAnn(), 100, 'and none is lost');
});

test('a flood pauses in its namespace only, not the requests of its user in others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const served: string[] = [];
  const ask = asking(new RequestThrottle({ turnMs: 0, perTurn: 4, restMs: 50 }), served);
  void ask('admin', 'b', 'b');
  void Promise.all(Array.from({ length: 100 }, () => ask('admin', 'a', 'a')));
  await Promise.all(Array.from({ length: 20 }, () => ask('admin', 'b', 'b')));
  for (let i = 0; i < 20; i++) await ask('admin', 'b', 'b');
  assert.ok(served.filter((name) => name === 'a').length < 50, 'the flood rests');
});

test('a flood without other activity does not pause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const served: string[] = [];
  const ask = asking(new RequestThrottle({ turnMs: 0, perTurn: 4 }), served);
  await Promise.all(Array.from({ length: 100 }, () => ask('ann', 'a', 'ann')));
  assert.equal(served.length, 100);
});
