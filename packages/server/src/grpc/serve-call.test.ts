import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { frame } from '@fairlead/agent/grpc';
import { listAt, objectAt, textAt } from '@fairlead/apimachinery';
import { silentLogger } from '@fairlead/kube';
import { decode, encode } from '../../test/support/grpc-client.ts';
import type { ClientStreamCall, StreamCall } from '../rpc/call.ts';
import type { RpcError } from '../rpc/rpc-error.ts';
import { type GrpcExchange, type GrpcOptions, serveCall } from './serve-call.ts';

interface Served {
  readonly messages: readonly Buffer[];
  readonly error: RpcError | undefined;
}

/** Serves one call without a connection; nobody has to sign in. */
async function serve(
  path: string,
  body: PassThrough,
  calls: Partial<Pick<GrpcOptions, 'streams' | 'clientStreams'>>,
  more: Partial<GrpcExchange> = {},
): Promise<Served> {
  const messages: Buffer[] = [];
  let error: RpcError | undefined;
  const server = { options: { disableAuth: true }, log: silentLogger };
  await serveCall(
    { server: server as never, calls: {}, streams: {}, clientStreams: {}, ...calls },
    {
      path,
      headers: {},
      remoteAddress: '',
      body,
      signal: new AbortController().signal,
      send: async (message) => void messages.push(message),
      setHeader: () => {},
      end: (failure) => (error = failure),
      ...more,
    },
  );
  return { messages, error };
}

const path = '/application.ApplicationService/GetManifestsWithFiles';
const wrapper = 'application.ApplicationManifestQueryWithFilesWrapper';
const chunk = (text: string) => frame(encode(wrapper, { chunk: { chunk: Buffer.from(text).toString('base64') } }));
const query = frame(encode(wrapper, { query: { name: 'shop', checksum: 'x' } }));

const gather: ClientStreamCall = async (_, requests) => {
  const manifests: string[] = [];
  for await (const request of requests) {
    const name = textAt(request, 'query', 'name');
    const bytes = textAt(objectAt(request, 'chunk'), 'chunk');
    manifests.push(name || Buffer.from(bytes, 'base64').toString());
  }
  return { manifests };
};
const clientStreams = { 'Application.GetManifestsWithFiles': gather };

test('a call reads the messages of its client as they arrive, and answers once', async () => {
  const body = new PassThrough();
  const served = serve(path, body, { clientStreams });
  const bytes = Buffer.concat([query, ...Array.from({ length: 200 }, (_, i) => chunk(`part ${i}`))]);
  for (let at = 0; at < bytes.length; at += 7) body.write(bytes.subarray(at, at + 7));
  body.end();
  const { messages, error } = await served;
  assert.equal(error, undefined);
  assert.equal(messages.length, 1);
  const read = listAt(decode('repository.ManifestResponse', messages[0] ?? Buffer.alloc(0)), 'manifests');
  assert.equal(read.length, 201);
  assert.deepEqual([read[0], read[1], read[200]], ['shop', 'part 0', 'part 199']);
});

test('a client that goes away cancels its call', async () => {
  const body = new PassThrough();
  const served = serve(path, body, { clientStreams });
  body.write(query);
  setImmediate(() => body.destroy());
  assert.equal((await served).error?.code, 'Canceled');
});

test('a stream waits for a client that reads slowly', async () => {
  const body = new PassThrough();
  body.end(frame(Buffer.alloc(0)));
  let made = 0;
  const watch: StreamCall = async function* () {
    for (; made < 5; made++) yield { type: 'ADDED', application: {} };
  };
  const before: number[] = [];
  const send = async (): Promise<void> => {
    before.push(made);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await serve('/application.ApplicationService/Watch', body, { streams: { 'Application.Watch': watch } }, { send });
  assert.deepEqual(before, [0, 1, 2, 3, 4]);
});

test('a call that nobody serves is not implemented', async () => {
  const { error } = await serve(path, new PassThrough().end(query), {});
  assert.equal(error?.code, 'Unimplemented');
  assert.equal(error?.message, 'method GetManifestsWithFiles not implemented');
});
