import { type Json, type JsonObject, typeNamed } from '@fairlead/apimachinery';
import { encodeMessage } from './encode.ts';
import type { WireWriter } from './wire-writer.ts';

const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** The counterpart of `decodeAny`. */
export function encodeAny(writer: WireWriter, name: string | undefined, value: Json): void {
  const choice = name?.startsWith(`${apiextensions}.JSONSchemaPropsOr`);
  if (!choice) {
    writer.bytes(1, Buffer.from(JSON.stringify(value)));
  } else if (typeof value === 'boolean') {
    writer.int(1, value ? 1 : 0);
  } else if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'string') writer.text(2, item);
      else writer.message(2, (inner) => encodeProps(inner, item));
    }
  } else if (name?.endsWith('OrBool')) {
    writer.int(1, 1);
    writer.message(2, (inner) => encodeProps(inner, value));
  } else {
    writer.message(1, (inner) => encodeProps(inner, value));
  }
}

const encodeProps = (writer: WireWriter, value: Json): void =>
  encodeMessage(writer, value as JsonObject, typeNamed(`${apiextensions}.JSONSchemaProps`));
