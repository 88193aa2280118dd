import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCipher, DecryptionError } from './cipher.ts';

const cipher = createCipher('a key that is long enough');

test('a value encrypted for one location can be read only there', () => {
  const sealed = cipher.encrypt('secret', 'ClusterCredentials/1');
  assert.equal(cipher.decrypt(sealed, 'ClusterCredentials/1'), 'secret');
  assert.ok(!sealed.includes('secret'));
  assert.throws(() => cipher.decrypt(sealed, 'ClusterCredentials/2'), /was changed, or belongs to another row/u);
});

test('the same text is never encrypted to the same value', () => {
  assert.notEqual(cipher.encrypt('secret', 'p'), cipher.encrypt('secret', 'p'));
});

test('a changed value, or one encrypted with another key, is rejected', () => {
  const sealed = cipher.encrypt('secret', 'p');
  assert.throws(() => createCipher('another key of some length').decrypt(sealed, 'p'), /encrypted with another key/u);
  const parts = sealed.split('.');
  const body = Buffer.from(parts[3]!, 'base64');
  body[body.length - 1]! ^= 1;
  assert.throws(() => cipher.decrypt([...parts.slice(0, 3), body.toString('base64')].join('.'), 'p'), /was changed/u);
  for (const damaged of ['', 'v1', 'garbage', sealed.slice(0, 40), `${parts[0]}.${parts[1]}..`])
    assert.throws(() => cipher.decrypt(damaged, 'p'), DecryptionError, damaged);
  assert.throws(() => createCipher('short'), /too short/u);
});
