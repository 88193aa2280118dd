import type { Json, JsonObject } from '../json/json-value.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { typeNamed } from '../schema/type-table.ts';
import type { WireWriter } from './wire-writer.ts';

const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

type EncodeMessage = (writer: WireWriter, value: JsonObject, schema: ObjectSchema) => void;

/** The counterpart of `decodeAny`. */
export function encodeAny(writer: WireWriter, name: string | undefined, value: Json, encode: EncodeMessage): void {
  const encodeProps = (inner: WireWriter, props: Json): void =>
    encode(inner, props as JsonObject, typeNamed(`${apiextensions}.JSONSchemaProps`));
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
