import { isJsonObject, type Json, type JsonObject, messageOf } from '@fairlead/apimachinery';
import { GoMap, itemsOf } from '@fairlead/render/go-template';
import { readYaml } from '@fairlead/render/go-yaml';
import { fromPlain } from '@fairlead/render/sprig';
import type { Generate } from './generator.ts';
import { GeneratorError } from './generator-error.ts';
import { cannotUnmarshal } from './go-json-error.ts';
import { type Params, paramsFrom, paramsOf } from './params.ts';

/** In Argo CD's words, whose error has no cause. */
const notText = 'error parsing value as string %!w(<nil>)';

/** The elements as they are; plain templates take texts only, and `values` one level deep. */
export const generateList: Generate<'list'> = ({ elements, elementsYaml }, { goTemplate }) => [
  ...(elements ?? []).map((element) => (goTemplate ? paramsFrom(objectOf(element)) : plainParams(objectOf(element)))),
  ...yamlElements(elementsYaml ?? ''),
];

function objectOf(element: Json): JsonObject {
  if (element === null) return {};
  if (isJsonObject(element)) return element;
  throw new GeneratorError(`error unmarshling list element ${cannotUnmarshal(element, 'map[string]interface {}')}`);
}

function plainParams(element: JsonObject): Params {
  const params = paramsOf();
  for (const [key, value] of Object.entries(element)) {
    if (key !== 'values') params.set(key, textOf(value));
    else if (!isJsonObject(value)) throw new GeneratorError('error parsing values map');
    else for (const [name, item] of Object.entries(value)) params.set(`values.${name}`, textOf(item));
  }
  return params;
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  throw new GeneratorError(notText);
}

function yamlElements(text: string): Params[] {
  if (text === '') return [];
  const failed = (why: string): GeneratorError => new GeneratorError(`error unmarshling decoded ElementsYaml ${why}`);
  const value = parsed(text, failed);
  if (value === null || value === undefined) return [];
  const decoding = 'error unmarshaling JSON: while decoding JSON: ';
  const items = itemsOf(value);
  if (!items) throw failed(`${decoding}${cannotUnmarshal(value, '[]map[string]interface {}')}`);
  return items.map((item) => {
    if (item === null) return paramsOf();
    if (!(item instanceof GoMap)) throw failed(`${decoding}${cannotUnmarshal(item, 'map[string]interface {}')}`);
    return item;
  });
}

function parsed(text: string, failed: (why: string) => Error): ReturnType<typeof fromPlain> {
  try {
    return fromPlain(readYaml(text));
  } catch (error) {
    throw failed(messageOf(error));
  }
}
