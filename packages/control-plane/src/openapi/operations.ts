import type { JsonObject } from '@fairlead/apimachinery';
import { parametersOf, sharedParameters } from './parameters.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface Subject {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** One operation, independent of the OpenAPI version. */
export interface Operation {
  readonly method: Method;
  /** `get`, `list`, `post`, `put`, `patch`, `delete`, `deletecollection`, `connect`. */
  readonly action: string;
  readonly id: string;
  readonly subject: Subject;
  readonly description: string;
  readonly body?: JsonObject | undefined;
  readonly answer?: JsonObject | undefined;
  readonly patchTypes?: readonly string[];
  readonly tag: string;
}

const mediaTypes = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];
const watchTypes = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

export const pathItem = (path: string, operations: readonly Operation[], custom: boolean): JsonObject => ({
  ...Object.fromEntries(operations.map((each) => [each.method, operationObject(each, custom)])),
  parameters: sharedParameters(path),
});

function operationObject(operation: Operation, custom: boolean): JsonObject {
  const { action, method, body, answer } = operation;
  const parameters = parametersOf[action === 'connect' ? 'get' : action] ?? [];
  const types = [...mediaTypes, ...(action === 'list' ? watchTypes : [])].filter(
    (type) => !custom || !type.includes('protobuf'),
  );
  const success = {
    description: 'OK',
    ...(answer ? { content: Object.fromEntries(types.map((type) => [type, { schema: answer }])) } : {}),
  };
  const creates = method === 'post' || method === 'put' || method === 'patch';
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.id,
    ...(parameters.length ? { parameters: [...parameters] } : {}),
    ...(body ? { requestBody: requestBody(operation, body) } : {}),
    responses: {
      '200': success,
      ...(creates && action !== 'connect' ? { '201': { ...success, description: 'Created' } } : {}),
      ...(method === 'post' || action === 'delete' ? { '202': { ...success, description: 'Accepted' } } : {}),
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { ...operation.subject },
  };
}

function requestBody({ action, patchTypes }: Operation, body: JsonObject): JsonObject {
  const types = action === 'patch' ? (patchTypes ?? []) : ['*/*'];
  return {
    content: Object.fromEntries(types.map((type) => [type, { schema: body }])),
    ...(action === 'delete' || action === 'deletecollection' ? {} : { required: true }),
  };
}
