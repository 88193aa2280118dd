import {
  isJsonObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
  WireWriter,
} from '@fairlead/apimachinery';

/**
 * A version 2 document in the protobuf form that kubectl up to 1.28 requires. Field numbers are those of OpenAPIv2.proto of gnostic; only
 * the used parts are written.
 */
export const swaggerProtobufAccept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
/** The content type of the response: Go clients cannot parse a content type with an `@`. */
export const swaggerProtobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

export function swaggerProtobuf(document: JsonObject): Buffer {
  const writer = new WireWriter();
  writer.text(1, String(document['swagger']));
  writer.message(2, (to) => {
    to.text(1, textAt(document, 'info', 'title'));
    to.text(2, textAt(document, 'info', 'version'));
  });
  writer.message(8, (paths) => named(paths, 2, objectAt(document, 'paths'), pathItem));
  writer.message(9, (definitions) => named(definitions, 1, objectAt(document, 'definitions'), schema));
  return writer.finish();
}

type Write = (to: WireWriter, value: JsonObject) => void;

function named(to: WireWriter, field: number, values: JsonObject | undefined, write: Write): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    if (!isJsonObject(value)) continue;
    to.message(field, (entry) => {
      entry.text(1, name);
      entry.message(2, (inner) => write(inner, value));
    });
  }
}

/** Values of any type are YAML in gnostic, and JSON is YAML. */
const any = (to: WireWriter, field: number, value: Json): void =>
  to.message(field, (inner) => inner.text(2, JSON.stringify(value)));

function extensions(to: WireWriter, field: number, from: JsonObject): void {
  for (const [name, value] of Object.entries(from)) {
    if (!name.startsWith('x-')) continue;
    to.message(field, (entry) => {
      entry.text(1, name);
      any(entry, 2, value);
    });
  }
}

const texts = (to: WireWriter, field: number, values: Json | undefined): void => {
  for (const value of listAt(values)) to.text(field, String(value));
};

const methods: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function pathItem(to: WireWriter, item: JsonObject): void {
  for (const [method, field] of Object.entries(methods)) {
    const found = objectAt(item, method);
    if (found) to.message(field, (inner) => operation(inner, found));
  }
  parameters(to, 9, item['parameters']);
}

function operation(to: WireWriter, from: JsonObject): void {
  texts(to, 1, from['tags']);
  if (from['description']) to.text(3, String(from['description']));
  if (from['operationId']) to.text(5, String(from['operationId']));
  texts(to, 6, from['produces']);
  texts(to, 7, from['consumes']);
  parameters(to, 8, from['parameters']);
  to.message(9, (responses) =>
    named(responses, 1, objectAt(from, 'responses'), (value, response) =>
      value.message(1, (inner) => {
        inner.text(1, String(response['description']));
        const answer = objectAt(response, 'schema');
        if (answer) inner.message(2, (item) => item.message(1, (shape) => schema(shape, answer)));
      }),
    ),
  );
  texts(to, 10, from['schemes']);
  extensions(to, 13, from);
}

function parameters(to: WireWriter, field: number, list: Json | undefined): void {
  for (const each of objectsAt(list)) {
    to.message(field, (item) => item.message(1, (parameter) => writeParameter(parameter, each)));
  }
}

function writeParameter(to: WireWriter, from: JsonObject): void {
  if (from['in'] === 'body') {
    to.message(1, (body) => {
      body.text(2, String(from['name']));
      body.text(3, 'body');
      if (from['required']) body.int(4, 1);
      body.message(5, (shape) => schema(shape, objectAt(from, 'schema') ?? {}));
    });
    return;
  }
  const query = from['in'] === 'query';
  to.message(2, (plain) =>
    plain.message(query ? 3 : 4, (inner) => {
      if (from['required']) inner.int(1, 1);
      inner.text(2, String(from['in']));
      if (from['description']) inner.text(3, String(from['description']));
      inner.text(4, String(from['name']));
      inner.text(query ? 6 : 5, String(from['type']));
      if (from['uniqueItems']) inner.int(query ? 20 : 19, 1);
    }),
  );
}

const textFields = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 };
const numberFields = { multipleOf: 6, maximum: 7, minimum: 9 };
const countFields = { maxLength: 11, minLength: 12, maxItems: 14, minItems: 15, maxProperties: 17, minProperties: 18 };
const flagFields = { exclusiveMaximum: 8, exclusiveMinimum: 10, uniqueItems: 16 };

function schema(to: WireWriter, from: JsonObject): void {
  for (const [key, field] of Object.entries(textFields)) if (from[key]) to.text(field, String(from[key]));
  if (from['default'] !== undefined) any(to, 5, from['default']);
  for (const [key, field] of Object.entries(numberFields)) if (from[key]) to.double(field, Number(from[key]));
  for (const [key, field] of Object.entries(countFields)) if (from[key]) to.int(field, Number(from[key]));
  for (const [key, field] of Object.entries(flagFields)) if (from[key] === true) to.int(field, 1);
  texts(to, 19, from['required']);
  for (const value of listAt(from, 'enum')) any(to, 20, value);
  const rest = from['additionalProperties'];
  if (typeof rest === 'boolean') to.message(21, (item) => item.int(2, rest ? 1 : 0));
  else if (isJsonObject(rest)) to.message(21, (item) => item.message(1, (inner) => schema(inner, rest)));
  if (from['type']) to.message(22, (type) => type.text(1, String(from['type'])));
  const items = objectAt(from, 'items');
  if (items) to.message(23, (list) => list.message(1, (inner) => schema(inner, items)));
  const properties = objectAt(from, 'properties');
  if (properties) to.message(25, (inner) => named(inner, 1, properties, schema));
  extensions(to, 31, from);
}
