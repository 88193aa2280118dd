import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byteLength, byteSlice, compareStrings, fromBytes, toBytes } from './go-string.ts';

test('any bytes round-trip through a string', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) =>
      assert.deepEqual([...toBytes(fromBytes(bytes))], [...bytes]),
    ),
  );
});

test('UTF-8 text is the same string', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\0', 'é', '世', '😀', '\ufeff', '\u2028') }), (text) =>
      assert.equal(fromBytes(Buffer.from(text)), text),
    ),
  );
});

test('lengths and slices are in bytes', () => {
  assert.equal(byteLength('é😀'), 6);
  const cut = byteSlice('é😀', 1, 4);
  assert.deepEqual([...toBytes(cut)], [0xa9, 0xf0, 0x9f]);
  assert.equal(byteLength(cut), 3);
});

test('strings compare by their bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      assert.equal(Math.sign(compareStrings(a, b)), Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
  );
});
