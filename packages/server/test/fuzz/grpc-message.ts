/** A request of gRPC is read or refused; what was read is written and read again as it was. */
import assert from 'node:assert/strict';
import type { Json } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { decodeRequest } from '../../src/grpc/codec.ts';
import { grpcMethods, pathOf } from '../../src/grpc/methods.ts';
import { RpcError } from '../../src/rpc/rpc-error.ts';
import { encode } from '../support/grpc-client.ts';
import { sentRequests } from '../support/sent-requests.ts';

const byPath = new Map(grpcMethods.map((method) => [pathOf(method), method]));

export const target = fuzzTarget({
  inputs: fc.record({
    sent: fc.nat({ max: sentRequests.length - 1 }),
    path: fc.constantFrom(...byPath.keys()),
    /** Of the bytes that were sent, which to replace by what. */
    changes: fc.array(fc.tuple(fc.nat({ max: 500 }), fc.nat({ max: 255 })), { maxLength: 6 }),
    cut: fc.nat({ max: 500 }),
    own: fc.boolean(),
  }),
  check(input: {
    readonly sent: number;
    readonly path: string;
    readonly changes: readonly (readonly [number, number])[];
    readonly cut: number;
    readonly own: boolean;
  }) {
    const { body = '', path = '' } = sentRequests[input.sent] ?? {};
    const method = byPath.get(input.own ? path : input.path);
    assert.ok(method);
    const bytes = Buffer.from(body, 'base64');
    for (const [at, value] of input.changes) bytes[at % bytes.length] = value;
    const cut = bytes.subarray(0, bytes.length - (input.cut % 3 === 0 ? input.cut % bytes.length : 0));
    const message = unlessRefused([RpcError], () => decodeRequest(method, cut));
    if (!message || hasInvalidText(message)) return;
    assert.deepEqual(decodeRequest(method, encode(method.request, message)), message);
  },
});

/** Bytes that are not UTF-8 were replaced. */
const hasInvalidText = (value: Json): boolean => JSON.stringify(value).includes('\ufffd');
