import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairTurns } from './fair-turns.ts';

/** Asks for a turn and notes when it came. */
const asking = (turns: FairTurns, served: string[]) => async (user: string, namespace: string, name: string) => {
  const wait = turns.admit(user, namespace);
  if (wait) await wait;
  served.push(name);
};

test('without a crowd nothing waits', () => {
  const turns = new FairTurns({ now: () => 0 });
  for (let i = 0; i < 100; i++) assert.equal(turns.admit('ann', 'a'), undefined);
});

test('one request of another user overtakes what one user has waiting', async () => {
  const served: string[] = [];
  const ask = asking(new FairTurns({ turnMs: 0, perTurn: 2 }), served);
  const crowd = Array.from({ length: 50 }, (_, i) => ask('ann', 'a', `ann ${i}`));
  await Promise.all([...crowd, ask('bob', 'a', 'bob')]);
  assert.equal(served.length, 51);
  assert.ok(served.indexOf('bob') <= 2, served.slice(0, 5).join());
});

test('the namespaces of one user take turns too, and each is served in the order of its asking', async () => {
  const served: string[] = [];
  const ask = asking(new FairTurns({ turnMs: 0 }), served);
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

test('between a few of a crowd the loop looks at what else has come', async () => {
  const served: string[] = [];
  const ask = asking(new FairTurns({ turnMs: 0, perTurn: 4 }), served);
  const crowd = Promise.all(Array.from({ length: 40 }, (_, i) => ask('ann', 'a', `ann ${i}`)));
  await new Promise((resolve) => setImmediate(resolve));
  const late = ask('bob', 'a', 'bob');
  await Promise.all([crowd, late]);
  assert.ok(served.indexOf('bob') < 12, `bob came after ${served.indexOf('bob')}`);
});

test('a crowd rests while others are there, who are served meanwhile', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const served: string[] = [];
  const ask = asking(new FairTurns({ turnMs: 0, perTurn: 4, restMs: 50 }), served);
  const turns = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const ofAnn = (): number => served.filter((name) => name === 'ann').length;
  void ask('bob', 'b', 'bob');
  const crowd = Promise.all(Array.from({ length: 100 }, () => ask('ann', 'a', 'ann')));
  await turns(200);
  const before = ofAnn();
  assert.ok(before < 50, `${before} were served before the crowd rested`);
  await ask('bob', 'b', 'bob again');
  assert.equal(ofAnn(), before, 'the crowd rests');
  t.mock.timers.tick(50);
  await turns(50);
  assert.equal(ofAnn(), before + 4, 'as many as there are places');
  for (let i = 0; i < 40; i++) {
    t.mock.timers.tick(50);
    await turns(50);
  }
  await crowd;
  assert.equal(ofAnn(), 100, 'and none is forgotten');
});

test('of one user a crowd in one namespace rests, and not what it does in others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const served: string[] = [];
  const ask = asking(new FairTurns({ turnMs: 0, perTurn: 4, restMs: 50 }), served);
  void ask('admin', 'b', 'b');
  void Promise.all(Array.from({ length: 100 }, () => ask('admin', 'a', 'a')));
  await Promise.all(Array.from({ length: 20 }, () => ask('admin', 'b', 'b')));
  for (let i = 0; i < 20; i++) await ask('admin', 'b', 'b');
  assert.ok(served.filter((name) => name === 'a').length < 50, 'the crowd rests');
});

test('who is alone does not rest', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const served: string[] = [];
  const ask = asking(new FairTurns({ turnMs: 0, perTurn: 4 }), served);
  await Promise.all(Array.from({ length: 100 }, () => ask('ann', 'a', 'ann')));
  assert.equal(served.length, 100);
});
