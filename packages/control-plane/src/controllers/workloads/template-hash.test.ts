import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentHash, revisionHash } from './template-hash.ts';

test('the order of keys does not change the hash; content and collisions do', () => {
  assert.equal(contentHash({ a: 1, b: { c: 2, d: 3 } }), contentHash({ b: { d: 3, c: 2 }, a: 1 }));
  assert.equal(contentHash({ a: 1, b: undefined }), contentHash({ a: 1 }));
  assert.notEqual(contentHash({ a: 1 }), contentHash({ a: 2 }));
  assert.notEqual(contentHash({ a: 1 }), contentHash({ a: 1 }, 0));
  assert.notEqual(contentHash({ a: 1 }, 0), contentHash({ a: 1 }, 1));
});

test('a hash is a valid label value', () => {
  fc.assert(
    fc.property(fc.json(), (json) => /^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/.test(contentHash(JSON.parse(json)))),
  );
});

test('a revision has the same hash as in kube-controller-manager', () => {
  assert.equal(revisionHash({ b: 'é<', a: [1] }, 0), '66f898f46');
});
