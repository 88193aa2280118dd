import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bcryptHash } from './bcrypt.ts';

/** bcrypt's base64 has an alphabet of its own. */
function salt(text: string): Buffer {
  const own = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return Buffer.from([...text].map((char) => standard[own.indexOf(char)]).join(''), 'base64');
}

const vectors: [password: string, salt: string, hash: string][] = [
  ['', 'DCq7YPn5Rq63x1Lad4cll.', 'TV4S6ytwfsfvkgY8jIucDrjc8deX1s.'],
  ['a', 'm0CrhHm10qJ3lXRY.5zDGO', '3rS2KdeeWLuGmsfGlMfOxih58VYVfxe'],
];

for (const [password, saltText, hash] of vectors) {
  test(`the hash of ${JSON.stringify(password)} is the published one`, () => {
    assert.equal(bcryptHash(Buffer.from(password), 6, salt(saltText)), `$2a$06$${saltText}${hash}`);
  });
}
