/** Bytes of a peer are an event or an error that names the problem; an event is decoded to something that can be answered. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, fieldsOf, mutated } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget } from '../../../../scripts/fuzz/target.ts';
import { type CloudEvent, decodeEvent, encodeEvent } from '../../src/wire/cloud-event.ts';
import { codecFor } from '../../src/wire/codec.ts';
import { sampleMessages } from '../support/sample-messages.ts';

const peers = {
  fairlead: { fairlead: true, deltas: true },
  'argocd-agent': { fairlead: false, deltas: false },
};
type Peer = keyof typeof peers;
const names = Object.keys(peers) as Peer[];
const seedsOf = (peer: Peer): string[] => {
  const codec = codecFor('a', peers[peer]);
  return sampleMessages.flatMap((message) =>
    codec.encode(message).map((event) => encodeEvent(event).toString('latin1')),
  );
};
const attributes = 'dataschema subject resourceid eventid sequence traceparent place acks error base content'.split(
  ' ',
);
const types =
  'create delete update spec-update status-update operation-update terminate-operation processed ping pong request-synced-resource-list response-synced-resource synced-resource-list request-resource-resync'.split(
    ' ',
  );
const event = fc.record({
  type: fc.oneof(
    fc.constantFrom(...types).map((name) => `io.argoproj.argocd-agent.event.${name}`),
    anyText,
  ),
  attributes: fc.dictionary(
    fc.constantFrom(...attributes),
    fc.oneof(
      fc.constantFrom('application', 'appproject', 'resource', 'resourceResync', 'eventProcessed', 'e:1', 'e:x', 'u-1'),
      anyText,
    ),
  ),
  data: fc.oneof(
    fieldsOf(
      'apiVersion kind metadata name namespace uid spec status operation items uuid list checksum round part parts of also'.split(
        ' ',
      ),
      4,
    ).map((value) => JSON.stringify(value)),
    anyText,
  ),
});

export const target = fuzzTarget({
  inputs: fc.oneof(
    ...names.flatMap((peer) => [
      mutated(seedsOf(peer), ['\0', '\xff\xff\xff\xff\x0f', '\x08', '\x12', '{', '}', '"']).map((bytes) => ({
        peer,
        bytes,
      })),
      event.map((made) => ({ peer, event: made })),
    ]),
  ),
  check(input: {
    readonly peer: Peer;
    readonly bytes?: string;
    readonly event?: { readonly type: string; readonly attributes: Record<string, string>; readonly data: string };
  }) {
    const codec = codecFor('b', peers[input.peer]);
    const read = (made: CloudEvent): void => {
      const decoded = codec.decode(made);
      assert.equal(typeof decoded.is, 'string');
      if (decoded.is === 'message') assert.ok(Number.isFinite(decoded.message.number), 'a message can be acknowledged');
      if (decoded.is === 'reply') encodeEvent(decoded.event);
    };
    if (input.event) read({ id: '1', source: 'a', ...input.event, data: Buffer.from(input.event.data) });
    if (input.bytes === undefined) return;
    let made: CloudEvent;
    try {
      made = decodeEvent(Buffer.from(input.bytes, 'latin1'));
    } catch (error) {
      // The message reader answers these with the text: see `agent-stream.ts`.
      assert.ok(error instanceof Error && error.message.startsWith('the message '), String(error));
      return;
    }
    read(made);
    assert.deepEqual(decodeEvent(encodeEvent(made)), made, 'what was read can be written again');
  },
});
