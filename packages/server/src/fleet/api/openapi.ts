import type { StructuralSchema } from '@fairlead/api';
import { isObject, type Json, type JsonObject, toJson } from '@fairlead/apimachinery';
import * as applicationShapes from './application-shapes.ts';
import * as detailShapes from './detail-shapes.ts';
import { basePath, type Endpoint, endpointIds, endpointOf, type Parameter } from './endpoints.ts';
import * as installationShapes from './installation-shapes.ts';

/** Shapes by the names of their types. A copy with another description has the same fields or values: these identify it. */
const names = new Map<object, string>();
const shapes = new Map<string, StructuralSchema>();
for (const [name, shape] of Object.entries({ ...applicationShapes, ...detailShapes, ...installationShapes })) {
  const identity = isSchema(shape) ? (shape.properties ?? shape.enum) : undefined;
  if (identity === undefined || names.has(identity) || !isSchema(shape)) continue;
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  names.set(identity, title);
  shapes.set(title, shape);
}

function isSchema(value: unknown): value is StructuralSchema {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The OpenAPI document of the API. */
export function openApiDocument(version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const id of endpointIds) {
    const endpoint = endpointOf(id);
    const path = `${basePath}${endpoint.path}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(id, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fairlead',
      version,
      description:
        'The API of Fairlead, in addition to that of Argo CD: fleets of Applications, how far changes have come, and why not.',
    },
    paths,
    components: {
      schemas: {
        ErrorBody: {
          type: 'object',
          description: 'Why a request failed.',
          required: ['error', 'code', 'message'],
          properties: { error: { type: 'string' }, code: { type: 'integer' }, message: { type: 'string' } },
        },
        ...Object.fromEntries([...shapes].map(([name, shape]) => [name, schemaOf(shape, true)])),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'argocd.token' },
      },
    },
    security: [{ bearer: [] }, { session: [] }],
  };
}

function operationOf(id: string, { path, summary, query = {}, body, response, isPublic }: Endpoint): JsonObject {
  const content = response
    ? { 'application/json': { schema: schemaOf(response) } }
    : { 'text/event-stream': { schema: { type: 'string' } } };
  const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name);
  return {
    operationId: id,
    summary,
    parameters: [
      ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(query).map(([name, parameter]) => queryParameter(name, parameter)),
    ],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } } : {}),
    responses: {
      200: { description: summary, content },
      default: {
        description: 'The request failed.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
      },
    },
    ...(isPublic ? { security: [] } : {}),
  };
}

function queryParameter(name: string, { description, type, repeated, values }: Parameter): JsonObject {
  const one = { type: type ?? 'string', ...(values ? { enum: [...values] } : {}) };
  return {
    name,
    in: 'query',
    description,
    schema: repeated ? { type: 'array', items: one } : one,
    ...(repeated ? { explode: true } : {}),
  };
}

/** Named shapes are referred to, except at the place of their definition. */
function schemaOf(schema: StructuralSchema, isDefinition = false): JsonObject {
  const { properties, items, additionalProperties, ...rest } = schema;
  const name = names.get(properties ?? schema.enum ?? schema);
  if (name !== undefined && !isDefinition) return { $ref: `#/components/schemas/${name}` };
  const plain = toJson(rest);
  const facets: Record<string, Json> = isObject(plain) ? { ...plain } : {};
  delete facets['x-kubernetes-preserve-unknown-fields'];
  return {
    ...facets,
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, schemaOf(field)])) }
      : {}),
    ...(items ? { items: schemaOf(items) } : {}),
    ...(additionalProperties ? { additionalProperties: schemaOf(additionalProperties) } : {}),
  };
}
