import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeEvent, encodeEvent } from './cloud-event.ts';
import { ProtoWriter } from './protobuf.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ minLength: 110, maxLength: 140 }),
  fc.string({ minLength: 16_000, maxLength: 17_000 }),
);

test('attributes arrive as they were sent, short and long, and are the bytes that protobuf has for them', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1, maxLength: 130 }), text, { maxKeys: 4 }), (attributes) => {
      const event = { id: 'i', source: 's', type: 't', attributes: { ...attributes }, data: Buffer.from('{}') };
      const bytes = encodeEvent(event);
      assert.deepEqual({ ...decodeEvent(bytes).attributes }, { ...attributes });
      const plain = new ProtoWriter().message(1, (inner) => {
        inner.string(1, 'i').string(2, 's').string(3, '1.0').string(4, 't');
        for (const [name, value] of Object.entries(attributes))
          inner.message(5, (entry) =>
            entry.string(1, name).message(2, (attribute) => attribute.bytes(3, Buffer.from(value))),
          );
        inner.bytes(6, Buffer.from('{}'));
      });
      assert.deepEqual(bytes, plain.finish());
    }),
    { numRuns: 200, examples: [[{ ['__proto__']: 'a name like any other' }]] },
  );
});
