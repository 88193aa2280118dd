import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { decodeEvent, encodeEvent } from './cloud-event.ts';
import { CloudEvent_CloudEventAttributeValueSchema } from './gen/cloudevent_pb.ts';
import { EventSchema } from './gen/eventstream_pb.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ minLength: 110, maxLength: 140 }),
  fc.string({ minLength: 16_000, maxLength: 17_000 }),
);
const name = fc.string({ minLength: 1, maxLength: 130 });

test('an event has the bytes that proto/ defines, and decodes to the same event', () => {
  const events = fc.record({
    id: text,
    source: text,
    type: text,
    attributes: fc.dictionary(fc.oneof(name, fc.constant('dataschema')), text, { maxKeys: 4 }),
    data: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  });
  fc.assert(
    fc.property(events, (event) => {
      const attributes = { ...event.attributes };
      const bytes = encodeEvent({ ...event, attributes });
      const described = create(EventSchema, {
        event: {
          ...{ id: event.id, source: event.source, specVersion: '1.0', type: event.type },
          attributes: Object.fromEntries(
            Object.entries(attributes).map(([key, value]) => [
              key,
              create(CloudEvent_CloudEventAttributeValueSchema, {
                attr: { case: key === 'dataschema' ? 'ceUri' : 'ceString', value },
              }),
            ]),
          ),
          data: event.data.length > 0 ? { case: 'binaryData', value: event.data } : { case: undefined },
        },
      });
      assert.deepEqual(bytes, Buffer.from(toBinary(EventSchema, described)));
      const decoded = decodeEvent(bytes);
      assert.deepEqual({ ...decoded, attributes: { ...decoded.attributes } }, { ...event, attributes });
    }),
    {
      numRuns: 200,
      examples: [[{ id: '', source: '', type: '', attributes: { ['__proto__']: 'x' }, data: Buffer.from('{}') }]],
    },
  );
});

test('text data, attributes of other types and unknown fields are read', () => {
  const message = create(EventSchema, {
    event: {
      id: '1',
      attributes: {
        uri: { attr: { case: 'ceUri', value: 'https://hub' } },
        count: { attr: { case: 'ceInteger', value: 7 } },
        empty: { attr: { case: undefined } },
      },
      data: { case: 'textData', value: '{}' },
    },
  });
  const unknown = Buffer.from([0x10, 0x05, 0x19, 1, 2, 3, 4, 5, 6, 7, 8]);
  const decoded = decodeEvent(Buffer.concat([unknown, toBinary(EventSchema, message)]));
  assert.deepEqual({ ...decoded.attributes }, { uri: 'https://hub', count: '7', empty: '' });
  assert.equal(decoded.data.toString(), '{}');
});

test('bytes that are not an event are an error', () => {
  assert.throws(() => decodeEvent(Buffer.from('not an event')), /the message/u);
  assert.throws(() => decodeEvent(Buffer.alloc(0)), /the message contains no event/u);
  assert.throws(() => decodeEvent(Buffer.from([0x0a, 0x7f, 1])), /ends in the middle of a field/u);
  assert.throws(() => decodeEvent(Buffer.from([0x0b])), /unknown wire type 3/u);
});
