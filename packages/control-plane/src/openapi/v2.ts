import type { Json, JsonObject } from '@fairlead/apimachinery';
import { withoutV3Words } from './custom-definition.ts';

/** How OpenAPI 2 says what it has no words for in version 3's form. */
const plainer: Readonly<Record<string, JsonObject>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: 'string', format: 'int-or-string' },
};

/** All documents of version 3 as one of version 2, for clients that know no better. */
export function swagger(documents: Iterable<JsonObject>): JsonObject {
  const definitions: JsonObject = {};
  const paths: JsonObject = {};
  for (const document of documents) {
    const schemas = (document['components'] as JsonObject)['schemas'] as JsonObject;
    for (const [name, schema] of Object.entries(schemas)) {
      definitions[name] = mergeKinds(definitions[name], plainer[name] ?? (downgrade(schema) as JsonObject));
    }
    for (const [path, item] of Object.entries(document['paths'] as JsonObject))
      paths[path] = pathItem(item as JsonObject);
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

/** DeleteOptions is a kind of every group: one definition here names them all. */
function mergeKinds(before: Json | undefined, now: JsonObject): JsonObject {
  const key = 'x-kubernetes-group-version-kind';
  const kinds = [before, now].flatMap(
    (each) => ((each as JsonObject | undefined)?.[key] as JsonObject[] | undefined) ?? [],
  );
  if (kinds.length === 0) return now;
  const unique = new Map(kinds.map((kind) => [`${kind['group']}/${kind['version']}/${kind['kind']}`, kind]));
  return { ...now, [key]: [...unique.values()] };
}

function downgrade(schema: Json): Json {
  return withoutV3Words(relink(schema));
}

/** References point elsewhere, and stand beside what is said of them. */
function relink(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(relink);
  if (schema === null || typeof schema !== 'object') return schema;
  const { allOf, ...rest } = schema;
  const [only, ...more] = Array.isArray(allOf) ? (allOf as JsonObject[]) : [];
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
      key === 'parameters' ? (value as JsonObject[]).map(parameter) : operation(value as JsonObject),
    ]),
  );
}

function parameter({ schema, ...rest }: JsonObject): JsonObject {
  return { ...rest, ...(schema as JsonObject) };
}

function operation({ requestBody, responses, parameters, ...rest }: JsonObject): JsonObject {
  const body = (requestBody as JsonObject | undefined)?.['content'] as JsonObject | undefined;
  const required = (requestBody as JsonObject | undefined)?.['required'] === true;
  const answers = Object.entries(responses as JsonObject) as [string, JsonObject][];
  const content = answers[0]?.[1]['content'] as JsonObject | undefined;
  return {
    ...rest,
    consumes: body ? Object.keys(body) : ['*/*'],
    produces: Object.keys(content ?? { 'application/json': {} }),
    schemes: ['https'],
    parameters: [
      ...(body ? [{ name: 'body', in: 'body', schema: schemaIn(body), ...(required ? { required } : {}) }] : []),
      ...((parameters as JsonObject[] | undefined) ?? []).map(parameter),
    ],
    responses: Object.fromEntries(
      answers.map(([code, { description, content: kinds }]) => [
        code,
        { description: description!, ...(kinds ? { schema: schemaIn(kinds as JsonObject) } : {}) },
      ]),
    ),
  };
}

const schemaIn = (content: JsonObject): Json =>
  downgrade((Object.values(content)[0] as JsonObject | undefined)?.['schema'] ?? {});
