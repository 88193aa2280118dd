import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import type { GrpcClient } from './grpc-client.ts';
import type { Caller, UnaryHandler } from './grpc-server.ts';

/** The HTTP/2 path of a method, as gRPC defines it. */
export const methodPath = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;

export const encodeMessage = <T extends DescMessage>(schema: T, message: MessageInitShape<T>): Uint8Array =>
  toBinary(schema, create(schema, message));

export const decodeMessage = <T extends DescMessage>(schema: T, bytes: Uint8Array): MessageShape<T> =>
  fromBinary(schema, bytes);

export async function callUnary<I extends DescMessage, O extends DescMessage>(
  client: GrpcClient,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
): Promise<MessageShape<O>> {
  const response = await client.unary(methodPath(method), encodeMessage(method.input, request));
  return decodeMessage(method.output, response);
}

/** An entry of the server's table of unary methods. */
export const unaryMethod = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  handle: (request: MessageShape<I>, caller: Caller) => MessageInitShape<O> | Promise<MessageInitShape<O>>,
): [path: string, handler: UnaryHandler] => [
  methodPath(method),
  async (bytes, caller) => encodeMessage(method.output, await handle(decodeMessage(method.input, bytes), caller)),
];
