import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectOf } from '@fairlead/apimachinery/testing';
import fc from 'fast-check';
import { decode, encode } from '../../test/support/grpc-client.ts';
import { reencoder } from '../../test/support/protobufjs.ts';
import { messageNamed } from '../messages/message-types.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { decodeRequest, encodeResponse } from './codec.ts';
import { grpcMethods, pathOf } from './methods.ts';

const methodAt = (path: string) => {
  const found = grpcMethods.find((method) => pathOf(method) === path);
  assert.ok(found, path);
  return found;
};

const names = [...new Set(grpcMethods.flatMap(({ request, response }) => [request, response]))];

test('every request and response passes through protobuf, and through another implementation, unchanged', () => {
  assert.ok(names.length > 90, `${names.length} messages`);
  for (const name of names) {
    const reencode = reencoder(name);
    fc.assert(
      fc.property(objectOf(messageNamed(name), 7), (message) => {
        const bytes = encode(name, message);
        assert.deepEqual(decode(name, bytes), message);
        assert.deepEqual(decode(name, reencode(bytes)), message);
      }),
      { numRuns: 10, seed: 5 },
    );
  }
});

test('whatever bytes come, a request is read or refused', () => {
  fc.assert(
    fc.property(fc.constantFrom(...grpcMethods), fc.uint8Array({ maxLength: 60 }), (method, noise) => {
      try {
        decodeRequest(method, Buffer.from(noise));
      } catch (error) {
        assert.ok(error instanceof RpcError, String(error));
        assert.equal(error.code, 'Internal');
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a request without a required field is refused as grpc-go does', () => {
  assert.throws(() => decodeRequest(methodAt('/application.ApplicationService/Sync'), Buffer.alloc(0)), {
    code: 'Internal',
    message: 'grpc: error unmarshalling request: proto: required field "name" not set',
  });
});

test('required fields of responses are written with their zero', () => {
  const bytes = encodeResponse(methodAt('/application.ApplicationService/GetApplicationSyncWindows'), {});
  assert.equal(bytes.toString('hex'), '1800');
});

test('rules of resource overrides are messages in gRPC, and texts in REST', () => {
  const overrides = { 'apps/Deployment': { ignoreDifferences: 'jsonPointers:\n- /spec/replicas\n' } };
  const method = methodAt('/cluster.SettingsService/Get');
  const read = decode(method.response, encodeResponse(method, { resourceOverrides: overrides }));
  assert.deepEqual(read, {
    resourceOverrides: { 'apps/Deployment': { 'ignoreDifferences.rules': { jsonPointers: ['/spec/replicas'] } } },
  });
});
