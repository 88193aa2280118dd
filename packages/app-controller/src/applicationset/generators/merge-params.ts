import { GoMap, type GoValue, stringMap } from '@fairlead/render/go-template';
import { mergeInto } from '@fairlead/render/sprig';
import { GeneratorError } from './generator-error.ts';
import { type Params, paramsOf, printed } from './params.ts';

/** The parameters with those of the other in their place; maps are merged deeply. Neither is changed. */
export function overridden(params: Params, other: Params): Params {
  refuseMixed(params, other);
  const result = copied(params);
  mergeInto(result, copied(other), true);
  return result;
}

/** A map that holds texts only cannot take other values: `values` of most generators, labels and annotations. */
function refuseMixed(params: GoMap, other: GoMap, path = ''): void {
  for (const [key, value] of other) {
    const present = params.get(key);
    if (!(value instanceof GoMap) || !(present instanceof GoMap) || value.size === 0) continue;
    const name = `${path}${key}`;
    if (present.type === stringMap && value.type !== stringMap) {
      throw new GeneratorError(
        `the parameter ${name} of one generator holds texts, and that of another holds any values: they cannot be merged. Use another name in one of them`,
      );
    }
    refuseMixed(present, value, `${name}.`);
  }
}

function copied(params: GoMap): Params {
  const copy = (value: GoValue): GoValue => (value instanceof GoMap ? copied(value) : value);
  return new GoMap(
    [...params].map(([key, value]) => [key, copy(value)] as const),
    params.type,
  );
}

/** Both together, as texts. The same name with different texts is an error. */
export function combined(a: Params, b: Params): Params {
  const result = paramsOf([...a].map(([key, value]) => [key, printed(value)] as const));
  for (const [key, value] of b) {
    const text = printed(value);
    const present = result.get(key);
    if (present !== undefined && present !== text)
      throw new GeneratorError(`found duplicate key ${key} with different value, a: ${printed(present)} ,b: ${text}`);
    result.set(key, text);
  }
  return result;
}
