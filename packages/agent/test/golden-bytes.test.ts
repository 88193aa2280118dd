import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { encodeEvent } from '../src/wire/cloud-event.ts';
import { type Codec, codecFor } from '../src/wire/codec.ts';
import { AuthRequestSchema, AuthResponseSchema, RefreshTokenRequestSchema } from '../src/wire/gen/auth_pb.ts';
import { PushSummarySchema } from '../src/wire/gen/eventstream_pb.ts';
import { LogStreamDataSchema, LogStreamResponseSchema } from '../src/wire/gen/logstream_pb.ts';
import { CertificateSchema, JoinRequestSchema, RenewRequestSchema } from '../src/wire/gen/registration_pb.ts';
import { VersionResponseSchema } from '../src/wire/gen/version_pb.ts';
import { sampleMessages } from './support/sample-messages.ts';

/** The bytes that Fairlead sends: older agents and principals, and argocd-agent, can read these. */
const golden: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('./golden/encoded-bytes.json', import.meta.url), 'utf8'),
);

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
const withoutUuid = (text = ''): string => text.replace(uuid, 'UUID');

const encoded = (codec: Codec): string[] =>
  sampleMessages
    .flatMap((message) => codec.encode(message))
    .map((event) => {
      const { sentat, eventid, resourceid, ...rest } = event.attributes;
      const attributes = Object.fromEntries(
        Object.entries(event.attributes).map(([name, value]) => {
          if (name === 'sentat') return [name, 'NOW'];
          return [name, name in rest ? value : withoutUuid(value)];
        }),
      );
      assert.ok(sentat !== '' && eventid && resourceid);
      return Buffer.from(encodeEvent({ ...event, id: withoutUuid(event.id), attributes })).toString('base64');
    });

for (const [name, codec] of Object.entries({
  fairlead: codecFor('principal', { fairlead: true, deltas: false }),
  'fairlead with deltas': codecFor('principal', { fairlead: true, deltas: true }),
  'argocd-agent': codecFor('principal', { fairlead: false, deltas: false }, { principalUid: 'hub-1' }),
})) {
  test(`events for ${name} have the recorded bytes`, () => assert.deepEqual(encoded(codec), golden[name]));
}

function bytesOf<T extends DescMessage>(schema: T, init: MessageInitShape<T>): string {
  return Buffer.from(toBinary(schema, create(schema, init))).toString('base64');
}

test('requests and responses have the recorded bytes', () => {
  const messages = {
    AuthRequest: bytesOf(AuthRequestSchema, {
      method: 'mtls',
      credentials: { 'fairlead.cluster': 'c-1' },
      mode: 'managed',
      version: '1.2.3+fairlead.deltas.gzip',
      agentNamespace: 'argocd',
    }),
    AuthResponse: bytesOf(AuthResponseSchema, {
      accessToken: 'access',
      refreshToken: 'refresh',
      version: '1.2.3',
      principalNamespace: 'argocd',
    }),
    RefreshTokenRequest: bytesOf(RefreshTokenRequestSchema, { refreshToken: 'refresh' }),
    VersionResponse: bytesOf(VersionResponseSchema, { version: '1.2.3' }),
    PushSummary: bytesOf(PushSummarySchema, { received: 300 }),
    JoinRequest: bytesOf(JoinRequestSchema, { token: 'edge.secret', publicKey: 'PEM', cluster: 'c-1' }),
    RenewRequest: bytesOf(RenewRequestSchema, { publicKey: 'PEM' }),
    Certificate: bytesOf(CertificateSchema, { certificate: 'CERT', ca: 'CA', agent: 'edge', mode: 'managed' }),
    LogStreamData: bytesOf(LogStreamDataSchema, { requestUuid: 'uuid', data: Buffer.from('line\n'), eof: true }),
    'LogStreamData with an error': bytesOf(LogStreamDataSchema, { requestUuid: 'uuid', error: '404: no' }),
    LogStreamResponse: bytesOf(LogStreamResponseSchema, { requestUuid: 'uuid', status: 200, linesReceived: 3 }),
  };
  assert.deepEqual(messages, golden['messages']);
});
