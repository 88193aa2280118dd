import type { Json } from '../json/json-value.ts';
import { apiError } from '../meta/api-error.ts';
import { typeNamed } from '../schema/type-table.ts';
import { type DecodeMessage, decodeEnvelope, isEnvelope } from './envelope.ts';
import type { WireReader } from './wire-reader.ts';

const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';
const props = () => typeNamed(`${apiextensions}.JSONSchemaProps`);

/** A value of any type. Most are JSON text in field 1; three types of JSON Schema are a choice between two fields. */
export function decodeAny(
  reader: WireReader,
  name: string | undefined,
  depth: number,
  decode: DecodeMessage,
): Json | undefined {
  switch (name) {
    case `${apiextensions}.JSONSchemaPropsOrBool`:
      return decodePropsOrBool(reader, depth, decode);
    case `${apiextensions}.JSONSchemaPropsOrArray`:
    case `${apiextensions}.JSONSchemaPropsOrStringArray`:
      return decodePropsOrList(reader, depth, decode, name.endsWith('StringArray'));
    default:
      return decodeRaw(reader, depth, decode);
  }
}

function decodeRaw(reader: WireReader, depth: number, decode: DecodeMessage): Json | undefined {
  let raw: Buffer | undefined;
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 2) raw = reader.bytes();
    else reader.skip(wire);
  }
  if (raw === undefined || raw.length === 0) return undefined;
  if (isEnvelope(raw)) return decodeEnvelope(raw, decode, undefined, depth + 1);
  try {
    return JSON.parse(raw.toString('utf8')) as Json;
  } catch {
    throw apiError(400, 'BadRequest', 'the body holds a raw value that is no JSON');
  }
}

function decodePropsOrBool(reader: WireReader, depth: number, decode: DecodeMessage): Json {
  let allows = false;
  let schema: Json | undefined;
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 0) allows = reader.int64() !== 0n;
    else if (number === 2 && wire === 2) schema = decode(reader.message(), props(), depth + 1);
    else reader.skip(wire);
  }
  return schema ?? allows;
}

function decodePropsOrList(
  reader: WireReader,
  depth: number,
  decode: DecodeMessage,
  ofTexts: boolean,
): Json | undefined {
  let schema: Json | undefined;
  const list: Json[] = [];
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 2) schema = decode(reader.message(), props(), depth + 1);
    else if (number === 2 && wire === 2) {
      list.push(ofTexts ? reader.text() : decode(reader.message(), props(), depth + 1));
    } else reader.skip(wire);
  }
  return list.length > 0 ? list : schema;
}
