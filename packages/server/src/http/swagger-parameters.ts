import type { JsonObject, ObjectSchema, ScalarSchema } from '@fairlead/apimachinery';

/** The parameters of a query: the values of a message, those of messages in it with a dot. Lists of messages and maps cannot be sent. */
export function queryParameters(
  message: ObjectSchema,
  others: ReadonlySet<string>,
  prefix: readonly string[] = [],
): JsonObject[] {
  return [...message.fields].flatMap(([field, { schema }]): JsonObject[] => {
    const path = [...prefix, field];
    const name = path.join('.');
    if (others.has(name)) return [];
    switch (schema.type) {
      case 'object':
        // A message that contains itself has no end.
        return prefix.includes(field) ? [] : queryParameters(schema, others, path);
      case 'list': {
        const { items } = schema;
        if (items.type === 'object' || items.type === 'list' || items.type === 'map') return [];
        return [{ name, in: 'query', required: false, type: 'array', items: typeOf(items), collectionFormat: 'multi' }];
      }
      case 'map':
        return [];
      case 'time':
        return [
          { name: `${name}.seconds`, in: 'query', required: false, type: 'string', format: 'int64' },
          { name: `${name}.nanos`, in: 'query', required: false, type: 'integer', format: 'int32' },
        ];
      default:
        return [{ name, in: 'query', required: false, ...typeOf(schema) }];
    }
  });
}

/** Numbers of 64 bits are texts in JSON of protobuf. */
export function typeOf({ type }: ScalarSchema): JsonObject {
  switch (type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'int32':
      return { type: 'integer', format: 'int32' };
    case 'int64':
      return { type: 'string', format: 'int64' };
    case 'number':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'time':
    case 'micro-time':
      return { type: 'string', format: 'date-time' };
    case 'any':
      return { type: 'object' };
    default:
      return { type: 'string' };
  }
}
