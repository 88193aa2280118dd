import type { Structural } from '@fairlead/apimachinery';
import { escapeName } from './escape.ts';

/** The maximum size of a request: it bounds everything that the schema does not. */
const maxRequest = 3 * 1024 * 1024;

/** The maximum size of a value: characters of a string, items of a list, entries of a map; 1 for anything else. */
export interface Extent {
  readonly size: number;
  item?(): Extent;
  field?(name: string): Extent | undefined;
}

export const one: Extent = { size: 1 };

/** The extent of values of a schema, from its limits or from the size of requests. */
export function extentOf(schema: Structural): Extent {
  if (schema.intOrString) return { size: schema.maxLength === undefined ? maxRequest - 2 : schema.maxLength * 4 };
  switch (schema.type) {
    case 'array': {
      const { items } = schema;
      if (!items) return one;
      return {
        size: schema.maxItems ?? Math.floor((maxRequest - 2) / (leastSize(items) + 1)),
        item: () => extentOf(items),
      };
    }
    case 'object': {
      const { additional } = schema;
      if (typeof additional === 'object')
        return {
          size: schema.maxProperties ?? Math.floor((maxRequest - 2) / (leastSize(additional) + 6)),
          item: () => extentOf(additional),
          field: () => extentOf(additional),
        };
      return { size: 1, field: (name) => fieldExtent(schema, name) };
    }
    case 'string':
      return { size: textSize(schema) };
    default:
      return one;
  }
}

function fieldExtent(schema: Structural, name: string): Extent | undefined {
  for (const [own, property] of schema.properties) if (escapeName(own) === name) return extentOf(property);
  return undefined;
}

function textSize(schema: Structural): number {
  const { format, maxLength } = schema;
  if (format === 'duration' || format === 'date-time') return 32;
  if (format === 'date') return 12;
  if (maxLength !== undefined) return format === 'byte' ? maxLength : maxLength * 4;
  const texts = schema.enum?.filter((value) => typeof value === 'string');
  return texts?.length ? Math.max(...texts.map((text) => text.length)) : maxRequest - 2;
}

/** The minimum number of bytes of a value of a schema in a request. */
function leastSize(schema: Structural): number {
  if (schema.intOrString) return 1;
  switch (schema.type) {
    case 'string':
      return { duration: 3, date: 12, 'date-time': 21 }[schema.format] ?? 2;
    case 'boolean':
      return 4;
    case 'integer':
    case 'number':
      return 1;
    case 'object':
      return schema.required.reduce((sum, name) => {
        const property = schema.properties.get(name);
        return property && property.default === undefined ? sum + name.length + leastSize(property) + 4 : sum;
      }, 2);
    default:
      return 2;
  }
}

/** How often values of a schema can occur in one request if nothing above them is bounded. */
export const mostTimes = (schema: Structural): number => Math.floor(maxRequest / (leastSize(schema) + 1));
