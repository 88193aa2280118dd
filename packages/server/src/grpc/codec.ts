import {
  ApiError,
  decodeMessage,
  decodeTyped,
  encodeMessage,
  isObject,
  type JsonObject,
  type ObjectSchema,
  own,
  toJson,
  WireReader,
  WireWriter,
} from '@fairlead/apimachinery';
import { messageNamed } from '../messages/message-types.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { GrpcMethod } from './methods.ts';
import { withIgnoreRules } from './settings-message.ts';

/** A request as the JSON that the same request has through REST. */
export function decodeRequest({ request }: GrpcMethod, bytes: Buffer): JsonObject {
  const schema = messageNamed(request);
  try {
    const message = decodeMessage(new WireReader(bytes), schema);
    requireFields(message, schema);
    return message;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new RpcError('Internal', `grpc: error unmarshalling request: ${error.message}`);
  }
}

/** A message without a required field is not valid. */
function requireFields(message: JsonObject, schema: ObjectSchema): void {
  for (const [name, field] of schema.fields) {
    if (!field.mandatory || own(message, name) !== undefined) continue;
    const problem = `proto: required field ${JSON.stringify(name)} not set`;
    throw new RpcError('Internal', `grpc: error unmarshalling request: ${problem}`);
  }
}

export function encodeResponse({ call, response }: GrpcMethod, result: object): Buffer {
  const schema = messageNamed(response);
  const json = toJson(result);
  const { object } = decodeTyped(isObject(json) ? json : {}, schema);
  const writer = new WireWriter();
  encodeMessage(writer, call === 'Settings.Get' ? withIgnoreRules(object) : object, schema);
  return writer.finish();
}
