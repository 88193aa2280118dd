import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MirroredObject } from '../core/kinds.ts';
import type { Message } from '../core/message.ts';
import { capabilitiesOf, shared, withCapabilities } from './capabilities.ts';
import { decodeEvent, encodeEvent } from './cloud-event.ts';
import { type Codec, codecFor } from './codec.ts';

const both = { fairlead: true, deltas: true };
const object = (revision: string, status: unknown = {}): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'edge', uid: 'u-1', resourceVersion: revision },
  spec: { source: { path: 'shop', targetRevision: revision, helm: { values: 'x'.repeat(2_000) } } },
  status: status as Record<string, unknown>,
});
const upsert = (number: number, sent: MirroredObject): Message => ({
  type: 'upsert',
  kind: 'Application',
  name: sent.metadata.name,
  object: sent,
  create: false,
  epoch: 'e',
  number,
  label: '',
});
/** The message as decoded by the peer, and its size on the wire. */
function across(from: Codec, to: Codec, message: Message) {
  const [event] = from.encode(message);
  const bytes = encodeEvent(event!);
  return { size: bytes.length, decoded: to.decode(decodeEvent(bytes)) };
}
const objectIn = (decoded: ReturnType<Codec['decode']>): unknown =>
  decoded.is === 'message' && decoded.message.type === 'upsert' ? decoded.message.object : decoded;

test('an object that was sent before is sent as a delta', () => {
  const [from, to] = [codecFor('a', both), codecFor('b', both)];
  const first = across(from, to, upsert(1, object('1')));
  const second = across(from, to, upsert(2, object('2')));
  assert.deepEqual([objectIn(first.decoded), objectIn(second.decoded)], [object('1'), object('2')]);
  assert.ok(first.size > 2_000 && second.size < 400, `${first.size}, then ${second.size}`);
  assert.deepEqual(objectIn(across(from, to, upsert(2, object('2'))).decoded), object('2'), 'sent again');
});

test('a side without the base of a delta requests the whole object', () => {
  const [from, to] = [codecFor('a', both), codecFor('b', both)];
  from.encode(upsert(1, object('1')));
  const { decoded } = across(from, to, upsert(2, object('2')));
  assert.ok(decoded.is === 'reply');
  assert.deepEqual(from.decode(decoded.event), { is: 'handled' });
  assert.deepEqual(objectIn(across(from, to, upsert(2, object('2'))).decoded), object('2'));
});

test('after any change the receiver has the object that was sent', () => {
  // After one round trip: -0 is 0 then.
  const json = fc
    .dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
    .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(fc.array(json, { maxLength: 8 }), (states) => {
      const [from, to] = [codecFor('a', both), codecFor('b', both)];
      for (const [number, status] of states.entries()) {
        const sent = object(String(number), { ...status });
        assert.deepEqual(objectIn(across(from, to, upsert(number + 1, sent)).decoded), sent);
      }
    }),
  );
});

test('each side gets only the messages that it supports', () => {
  const own = capabilitiesOf(withCapabilities('0.2.0'));
  const none = { fairlead: false, deltas: false, gzip: false, tunnels: false, gpgKeys: false };
  assert.deepEqual(own, { fairlead: true, deltas: true, gzip: true, tunnels: true, gpgKeys: true });
  assert.deepEqual(shared(own, capabilitiesOf('0.1.0+fairlead')), { ...none, fairlead: true });
  assert.deepEqual(shared(own, capabilitiesOf('0.5.0')), { ...none, gpgKeys: true }, 'argocd-agent knows GPG keys');
  assert.deepEqual(shared(own, capabilitiesOf('9.0.0+fairlead.gzip.warp')), { ...none, fairlead: true, gzip: true });
  const [from, to] = [codecFor('a', { fairlead: true, deltas: false }), codecFor('b', both)];
  across(from, to, upsert(1, object('1')));
  assert.ok(across(from, to, upsert(2, object('2'))).size > 2_000, 'an older side gets the whole object each time');
});

test('a message has the trace of its cause, and an invalid trace is ignored', () => {
  const [from, to] = [codecFor('a', both), codecFor('b', both)];
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const traceIn = (message: Message) => {
    const { decoded } = across(from, to, message);
    return decoded.is === 'message' ? decoded.message.trace : decoded;
  };
  assert.equal(traceIn({ ...upsert(1, object('1')), trace }), trace);
  assert.equal(traceIn({ type: 'processed', of: 1, epoch: 'e', number: 0, label: '', trace }), trace);
  assert.equal(
    traceIn({ type: 'list-request', checksum: '', content: '', epoch: 'e', number: 2, label: '', trace }),
    trace,
  );
  assert.equal(traceIn(upsert(3, object('3'))), undefined);
  assert.equal(traceIn({ ...upsert(4, object('4')), trace: '00-nonsense-01' }), undefined);
  assert.equal(from.encode({ ...upsert(5, object('5')), trace })[0]!.attributes['traceparent'], trace);
});
