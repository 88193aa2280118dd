import { decodeMessage, encodeMessage, type JsonObject, WireReader, WireWriter } from '@fairlead/apimachinery';
import { type CallOptions, type ChannelCredentials, Client, credentials, Metadata } from '@grpc/grpc-js';
import { type GrpcMethod, grpcMethods, pathOf } from '../../src/grpc/methods.ts';
import { messageNamed } from '../../src/messages/message-types.ts';

export function encode(name: string, message: JsonObject): Buffer {
  const writer = new WireWriter();
  encodeMessage(writer, message, messageNamed(name));
  return writer.finish();
}

export const decode = (name: string, bytes: Buffer): JsonObject =>
  decodeMessage(new WireReader(bytes), messageNamed(name));

export interface CallSettings extends CallOptions {
  readonly token?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Calls through `@grpc/grpc-js`, an implementation of gRPC other than the server's. */
export class TestGrpcClient {
  readonly #client: Client;

  constructor(port: number, channel: ChannelCredentials = credentials.createInsecure()) {
    this.#client = new Client(`localhost:${port}`, channel);
  }

  unary(call: string, request: JsonObject, settings: CallSettings = {}): Promise<JsonObject> {
    const method = methodNamed(call);
    return this.raw(pathOf(method), encode(method.request, request), settings).then((bytes) =>
      decode(method.response, bytes),
    );
  }

  raw(path: string, request: Buffer, settings: CallSettings = {}): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(path, same, same, request, metadataOf(settings), settings, (error, answer) => {
        if (error) reject(error);
        else resolve(answer ?? Buffer.alloc(0));
      });
    });
  }

  /** The first messages of a stream; the call is cancelled after them. */
  async stream(call: string, request: JsonObject, count: number, settings: CallSettings = {}): Promise<JsonObject[]> {
    const method = methodNamed(call);
    const stream = this.#client.makeServerStreamRequest(
      pathOf(method),
      same,
      same,
      encode(method.request, request),
      metadataOf(settings),
      settings,
    );
    const messages: JsonObject[] = [];
    for await (const bytes of stream) {
      messages.push(decode(method.response, bytes));
      if (messages.length === count) break;
    }
    return messages;
  }

  close(): void {
    this.#client.close();
  }
}

const same = (bytes: Buffer): Buffer => bytes;

function methodNamed(call: string): GrpcMethod {
  const found = grpcMethods.find((method) => method.call === call);
  if (!found) throw new Error(`no method ${call}`);
  return found;
}

function metadataOf({ token, metadata = {} }: CallSettings): Metadata {
  const all = new Metadata();
  if (token !== undefined) all.set('token', token);
  for (const [name, value] of Object.entries(metadata)) all.set(name, value);
  return all;
}
