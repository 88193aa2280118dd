import type { JsonObject, ObjectSchema, Schema } from '@fairlead/apimachinery';
import { messageNamed } from '../messages/message-types.ts';
import { type PathSegment, type Route, routes } from '../messages/routes.ts';
import { queryParameters, typeOf } from './swagger-parameters.ts';

let text: string | undefined;

/** The OpenAPI 2.0 document of the REST API, made from the tables of routes and messages. */
export const swaggerText = (): string => (text ??= JSON.stringify(swaggerDocument()));

export function swaggerDocument(): JsonObject {
  const definitions = new Map<string, JsonObject>();
  const paths: Record<string, Record<string, JsonObject>> = {};
  const uses = new Map<string, number>();
  for (const route of routes) {
    const use = (uses.get(route.call) ?? 0) + 1;
    uses.set(route.call, use);
    const path = `/${route.path.map(textOf).join('/')}`;
    const methods = (paths[path] ??= {});
    methods[route.method.toLowerCase()] = operationOf(route, use, definitions);
  }
  return {
    consumes: ['application/json'],
    produces: ['application/json'],
    swagger: '2.0',
    info: { description: 'Description of all APIs', title: 'Consolidate Services', version: 'version not set' },
    paths,
    definitions: { runtimeError, ...Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
}

const textOf = (segment: PathSegment): string => ('text' in segment ? segment.text : `{${segment.field.join('.')}}`);

const runtimeError: JsonObject = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    code: { type: 'integer', format: 'int32' },
    message: { type: 'string' },
  },
};

type Definitions = Map<string, JsonObject>;

/** A call with several paths has a number from the second on: `PodLogs2`. */
function operationOf(route: Route, use: number, definitions: Definitions): JsonObject {
  const [service = '', name = ''] = route.call.split('.');
  const response = reference(messageNamed(route.response), definitions);
  const schema = route.isStream
    ? { type: 'object', properties: { result: response, error: { $ref: '#/definitions/runtimeError' } } }
    : response;
  return {
    tags: [`${service}Service`],
    operationId: `${service}Service_${name}${use > 1 ? use : ''}`,
    parameters: parametersOf(route, definitions),
    responses: {
      200: {
        description: route.isStream ? 'A successful response.(streaming responses)' : 'A successful response.',
        schema,
      },
      default: { description: 'An unexpected error response.', schema: { $ref: '#/definitions/runtimeError' } },
    },
  };
}

function parametersOf({ method, path, request, body }: Route, definitions: Definitions): JsonObject[] {
  const inPath = path.flatMap((segment) => ('text' in segment ? [] : [segment.field.join('.')]));
  const message = messageNamed(request);
  const parameters: JsonObject[] = inPath.map((name) => ({ name, in: 'path', required: true, type: 'string' }));
  if (body !== '') {
    const whole = body === '*' ? message : message.fields.get(body)?.schema;
    parameters.push({ name: 'body', in: 'body', required: true, schema: whole ? schemaOf(whole, definitions) : {} });
  }
  const hasQuery = body === '' ? method === 'GET' || method === 'DELETE' : body !== '*';
  return hasQuery ? [...parameters, ...queryParameters(message, new Set([...inPath, body]))] : parameters;
}

function schemaOf(schema: Schema, definitions: Definitions): JsonObject {
  switch (schema.type) {
    case 'object':
      return reference(schema, definitions);
    case 'list':
      return { type: 'array', items: schemaOf(schema.items, definitions) };
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(schema.values, definitions) };
    default:
      return typeOf(schema);
  }
}

/** Types with a name are definitions, which may refer to themselves. */
function reference(schema: ObjectSchema, definitions: Definitions): JsonObject {
  const name = definitionName(schema.name ?? '');
  if (name === '') return propertiesOf(schema, definitions);
  if (!definitions.has(name)) {
    definitions.set(name, {});
    definitions.set(name, propertiesOf(schema, definitions));
  }
  return { $ref: `#/definitions/${name}` };
}

const propertiesOf = ({ fields }: ObjectSchema, definitions: Definitions): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries([...fields].map(([name, field]) => [name, schemaOf(field.schema, definitions)])),
});

/** `v1alpha1.Application` is `v1alpha1Application`. */
const definitionName = (name: string): string => name.split('.').slice(-2).join('');
