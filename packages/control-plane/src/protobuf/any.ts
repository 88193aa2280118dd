import { apiError, type Json, typeNamed } from '@fairlead/apimachinery';
import { decodeMessage } from './decode.ts';
import { decodeEnvelope, isEnvelope } from './envelope.ts';
import type { WireReader } from './wire-reader.ts';

const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';
const props = () => typeNamed(`${apiextensions}.JSONSchemaProps`);

/** A value of any shape. Most are JSON text in field 1; three of JSON Schema's are a choice between two fields. */
export function decodeAny(reader: WireReader, name: string | undefined, depth: number): Json | undefined {
  switch (name) {
    case `${apiextensions}.JSONSchemaPropsOrBool`:
      return decodePropsOrBool(reader, depth);
    case `${apiextensions}.JSONSchemaPropsOrArray`:
    case `${apiextensions}.JSONSchemaPropsOrStringArray`:
      return decodePropsOrList(reader, depth, name.endsWith('StringArray'));
    default:
      return decodeRaw(reader, depth);
  }
}

function decodeRaw(reader: WireReader, depth: number): Json | undefined {
  let raw: Buffer | undefined;
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 2) raw = reader.bytes();
    else reader.skip(wire);
  }
  if (raw === undefined || raw.length === 0) return undefined;
  if (isEnvelope(raw)) return decodeEnvelope(raw, undefined, depth + 1);
  try {
    return JSON.parse(raw.toString('utf8')) as Json;
  } catch {
    throw apiError(400, 'BadRequest', 'the body holds a raw value that is no JSON');
  }
}

function decodePropsOrBool(reader: WireReader, depth: number): Json {
  let allows = false;
  let schema: Json | undefined;
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 0) allows = reader.int64() !== 0n;
    else if (number === 2 && wire === 2) schema = decodeMessage(reader.message(), props(), depth + 1);
    else reader.skip(wire);
  }
  return schema ?? allows;
}

function decodePropsOrList(reader: WireReader, depth: number, ofTexts: boolean): Json | undefined {
  let schema: Json | undefined;
  const list: Json[] = [];
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 2) schema = decodeMessage(reader.message(), props(), depth + 1);
    else if (number === 2 && wire === 2) {
      list.push(ofTexts ? reader.text() : decodeMessage(reader.message(), props(), depth + 1));
    } else reader.skip(wire);
  }
  return list.length > 0 ? list : schema;
}
