import type { JsonObject } from '../json/json-value.ts';
import { apiError } from '../meta/api-error.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { schemaOf } from '../schema/type-table.ts';
import { WireReader } from './wire-reader.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';
export const magic = Buffer.from('k8s\0');

export const isEnvelope = (bytes: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic);

export interface ExpectedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Messages contain envelopes and envelopes contain messages, so the envelope reader gets the message decoder as a parameter. */
export type DecodeMessage = (reader: WireReader, schema: ObjectSchema, depth: number) => JsonObject;

/**
 * A body of `application/vnd.kubernetes.protobuf` as the object that it would be in JSON. The envelope has the kind; if not, `expected` is
 * used. Throws a 400 for invalid bodies, and for kinds without a protobuf form.
 */
export function decodeEnvelope(bytes: Buffer, decode: DecodeMessage, expected?: ExpectedKind, depth = 0): JsonObject {
  if (!isEnvelope(bytes)) {
    throw apiError(400, 'BadRequest', 'the body does not start with the bytes of a Kubernetes protobuf object');
  }
  const { apiVersion, kind, raw } = readUnknown(new WireReader(bytes, magic.length), expected);
  const slash = apiVersion.lastIndexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const schema = schemaOf(group, apiVersion.slice(slash + 1), kind);
  if (!schema) {
    throw apiError(400, 'BadRequest', `no kind "${kind}" is registered for version "${apiVersion}"`);
  }
  const object = decode(new WireReader(raw), schema, depth);
  return { ...(kind ? { kind } : {}), ...(apiVersion ? { apiVersion } : {}), ...object };
}

function readUnknown(reader: WireReader, expected: ExpectedKind | undefined) {
  let { apiVersion, kind } = { apiVersion: '', kind: '' };
  let raw: Buffer = Buffer.alloc(0);
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 2) ({ apiVersion, kind } = readTypeMeta(reader.message()));
    else if (number === 2 && wire === 2) raw = reader.bytes();
    else reader.skip(wire);
  }
  return { apiVersion: apiVersion || (expected?.apiVersion ?? ''), kind: kind || (expected?.kind ?? ''), raw };
}

function readTypeMeta(reader: WireReader): ExpectedKind {
  let { apiVersion, kind } = { apiVersion: '', kind: '' };
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 2) apiVersion = reader.text();
    else if (number === 2 && wire === 2) kind = reader.text();
    else reader.skip(wire);
  }
  return { apiVersion, kind };
}
