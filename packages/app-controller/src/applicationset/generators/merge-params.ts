import { GoMap, type GoValue } from '@fairlead/render/go-template';
import { mergeInto } from '@fairlead/render/sprig';
import { GeneratorError } from './generator-error.ts';
import { type Params, paramsOf, printed } from './params.ts';

/** The parameters with those of the other in their place; maps are merged deeply. Neither is changed. */
export function overridden(params: Params, other: Params): Params {
  const result = copied(params);
  mergeInto(result, copied(other), true);
  return result;
}

/** Maps become maps of anything, so that one of texts can take values of another generator. */
function copied(params: GoMap): Params {
  const copy = (value: GoValue): GoValue => (value instanceof GoMap ? copied(value) : value);
  return paramsOf([...params].map(([key, value]) => [key, copy(value)] as const));
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
