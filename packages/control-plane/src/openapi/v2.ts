import { at, isJsonObject, type Json, type JsonObject, objectAt, objectsAt, textAt } from '@fairlead/apimachinery';
import { withoutV3Words } from './custom-definition.ts';

/** How OpenAPI 2 expresses what it does not support in the form of version 3. */
const plainer: Readonly<Record<string, JsonObject>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: 'string', format: 'int-or-string' },
};

/** All documents of version 3 merged into one of version 2, for older clients. */
export function swagger(documents: Iterable<JsonObject>): JsonObject {
  const definitions: JsonObject = {};
  const paths: JsonObject = {};
  for (const document of documents) {
    for (const [name, schema] of objectEntries(objectAt(document, 'components', 'schemas'))) {
      definitions[name] = mergeKinds(definitions[name], plainer[name] ?? downgrade(schema));
    }
    for (const [path, item] of objectEntries(objectAt(document, 'paths'))) paths[path] = pathItem(item);
  }
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'v1.36.0' },
    paths,
    definitions,
    securityDefinitions: {
      BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'A bearer token.' },
    },
    security: [{ BearerToken: [] }],
  };
}

/** DeleteOptions is a kind of every group: one definition here lists them all. */
function mergeKinds(before: Json | undefined, now: JsonObject): JsonObject {
  const key = 'x-kubernetes-group-version-kind';
  const kinds = [before, now].flatMap((each) => objectsAt(each, key));
  if (kinds.length === 0) return now;
  const unique = new Map(kinds.map((kind) => [`${kind['group']}/${kind['version']}/${kind['kind']}`, kind]));
  return { ...now, [key]: [...unique.values()] };
}

function downgrade(schema: JsonObject): JsonObject {
  return withoutV3Words(relinkObject(schema));
}

/** The members of an object that are objects themselves. */
const objectEntries = (object: JsonObject | undefined): [string, JsonObject][] =>
  Object.entries(object ?? {}).flatMap(([name, value]): [string, JsonObject][] =>
    isJsonObject(value) ? [[name, value]] : [],
  );

function relink(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(relink);
  return isJsonObject(schema) ? relinkObject(schema) : schema;
}

/** In version 2 a reference has another prefix, and its siblings are next to it. */
function relinkObject(schema: JsonObject): JsonObject {
  const { allOf: _, ...rest } = schema;
  const [only, ...more] = objectsAt(schema, 'allOf');
  const lifted = only?.['$ref'] !== undefined && more.length === 0 ? { ...only, ...rest } : schema;
  return Object.fromEntries(
    Object.entries(lifted).map(([key, value]) => [
      key,
      key === '$ref' ? String(value).replace('#/components/schemas/', '#/definitions/') : relink(value),
    ]),
  );
}

function pathItem(item: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key,
      key === 'parameters' ? objectsAt(item, key).map(parameter) : operation(objectAt(value) ?? {}),
    ]),
  );
}

function parameter({ schema, ...rest }: JsonObject): JsonObject {
  return { ...rest, ...objectAt(schema) };
}

function operation({ requestBody, responses, parameters, ...rest }: JsonObject): JsonObject {
  const body = objectAt(requestBody, 'content');
  const required = at(requestBody, 'required') === true;
  const answers = objectEntries(objectAt(responses));
  const content = objectAt(answers[0]?.[1], 'content');
  return {
    ...rest,
    consumes: body ? Object.keys(body) : ['*/*'],
    produces: Object.keys(content ?? { 'application/json': {} }),
    schemes: ['https'],
    parameters: [
      ...(body ? [{ name: 'body', in: 'body', schema: schemaIn(body), ...(required ? { required } : {}) }] : []),
      ...objectsAt(parameters).map(parameter),
    ],
    responses: Object.fromEntries(
      answers.map(([code, answer]) => {
        const kinds = objectAt(answer, 'content');
        return [code, { description: textAt(answer, 'description'), ...(kinds ? { schema: schemaIn(kinds) } : {}) }];
      }),
    ),
  };
}

const schemaIn = (content: JsonObject): JsonObject => downgrade(objectAt(Object.values(content)[0], 'schema') ?? {});
