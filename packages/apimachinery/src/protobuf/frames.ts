import type { JsonObject } from '../json/json-value.ts';
import { apiError } from '../meta/api-error.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { schemaOf } from '../schema/type-table.ts';
import { encodeMessage } from './encode.ts';
import { magic } from './envelope.ts';
import { WireWriter } from './wire-writer.ts';

/** Whether objects of this kind can be sent as protobuf: built-in ones can, custom resources and tables cannot. */
export const hasProtobuf = (apiVersion: string, kind: string): boolean => encodable(apiVersion, kind) !== undefined;

function encodable(apiVersion: string, kind: string): ObjectSchema | undefined {
  const slash = apiVersion.lastIndexOf('/');
  const schema = schemaOf(slash < 0 ? '' : apiVersion.slice(0, slash), apiVersion.slice(slash + 1), kind);
  // Table has fields but no numbers: it exists as JSON only.
  return schema && [...schema.fields.values()].some((field) => field.number !== undefined) ? schema : undefined;
}

/** An object, a list or a Status as a body of `application/vnd.kubernetes.protobuf`. */
export function encodeProtobuf(object: JsonObject): Buffer {
  const apiVersion = String(object['apiVersion'] ?? '');
  const kind = String(object['kind'] ?? '');
  const schema = encodable(apiVersion, kind);
  if (!schema) throw apiError(406, 'NotAcceptable', `${kind} of ${apiVersion} has no protobuf form`);
  const body = new WireWriter();
  encodeMessage(body, object, schema);
  const envelope = new WireWriter();
  envelope.message(1, (meta) => {
    meta.text(1, apiVersion);
    meta.text(2, kind);
  });
  envelope.bytes(2, body.finish());
  envelope.text(3, '');
  envelope.text(4, '');
  return Buffer.concat([magic, envelope.finish()]);
}

/** One event of a watch stream (`application/vnd.kubernetes.protobuf;stream=watch`): a length of four bytes, then the event. */
export function encodeWatchFrame(type: string, object: JsonObject): Buffer {
  const event = new WireWriter();
  event.text(1, type);
  event.message(2, (raw) => raw.bytes(1, encodeProtobuf(object)));
  const body = event.finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}
