import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeEvent, encodeEvent } from './cloud-event.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ minLength: 110, maxLength: 140 }),
  fc.string({ minLength: 16_000, maxLength: 17_000 }),
);

test('attributes arrive as they were sent, short and long', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1, maxLength: 130 }), text, { maxKeys: 4 }), (attributes) => {
      const event = { id: 'i', source: 's', type: 't', attributes: { ...attributes }, data: Buffer.from('{}') };
      const bytes = encodeEvent(event);
      assert.deepEqual({ ...decodeEvent(bytes).attributes }, { ...attributes });
    }),
    { numRuns: 200, examples: [[{ ['__proto__']: 'a name like any other' }]] },
  );
});
