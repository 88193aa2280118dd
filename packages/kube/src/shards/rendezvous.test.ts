import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rendezvous } from './rendezvous.ts';
import { ownerOf } from './shard-map.ts';

const keys = Array.from({ length: 10_000 }, (_, index) => `argocd/app-${index}`);
const members = [
  'controller-5d9f-abcde-1',
  'controller-5d9f-fghij-1',
  'controller-5d9f-klmno-1',
  'controller-5d9f-pqrst-1',
];

for (const count of [2, 3, 4]) {
  test(`${count} members get shares of 10,000 keys within 15 % of even`, () => {
    const shares = new Map<string, number>();
    for (const key of keys) {
      const owner = rendezvous(key, members.slice(0, count)) ?? '';
      shares.set(owner, (shares.get(owner) ?? 0) + 1);
    }
    const even = keys.length / count;
    for (const [member, share] of shares) {
      assert.ok(Math.abs(share - even) / even < 0.15, `${member} has ${share} of ${keys.length}`);
    }
    assert.equal(shares.size, count);
  });
}

test('only the keys of a member that leaves move', () => {
  const left = members.filter((member) => member !== members[1]);
  for (const key of keys.slice(0, 1_000)) {
    const before = rendezvous(key, members);
    if (before !== members[1]) assert.equal(rendezvous(key, left), before);
  }
});

test('the order of members does not matter', () => {
  for (const key of keys.slice(0, 100)) assert.equal(rendezvous(key, members), rendezvous(key, members.toReversed()));
});

test('a pinned group belongs to the shard of that number, modulo the number of members', () => {
  const map = { epoch: 1, members, pins: { 'https://a': 1, 'https://b': 6 } };
  for (const key of keys.slice(0, 20)) {
    assert.equal(ownerOf(map, key, 'https://a'), members[1]);
    assert.equal(ownerOf(map, key, 'https://b'), members[2]);
    assert.equal(ownerOf(map, key, 'https://c'), rendezvous(key, members));
  }
});

test('without members there is no owner', () => {
  assert.equal(rendezvous('a', []), undefined);
  assert.equal(ownerOf({ epoch: 1, members: [], pins: { c: 0 } }, 'a', 'c'), undefined);
});
