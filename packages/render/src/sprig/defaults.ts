import { deepEqual } from '../go-template/compare.ts';
import { fn } from '../go-template/function.ts';
import { type GoFunction, type GoValue, kindOf, typeOf } from '../go-template/go-value.ts';
import { isEmpty } from './lists.ts';

const nameOf = (value: GoValue): string => typeOf(value)?.name ?? '<nil>';

/** Functions for defaults and types. */
export const defaultFunctions: Readonly<Record<string, GoFunction>> = {
  default: fn('any ...any', (fallback: GoValue, ...given: GoValue[]) =>
    given.length === 0 || isEmpty(given[0]) ? fallback : given[0],
  ),
  empty: fn('any', isEmpty),
  coalesce: fn('...any', (...values: GoValue[]) => values.find((value) => !isEmpty(value)) ?? null),
  all: fn('...any', (...values: GoValue[]) => !values.some(isEmpty)),
  any: fn('...any', (...values: GoValue[]) => values.some((value) => !isEmpty(value))),
  ternary: fn('any any bool', (yes: GoValue, no: GoValue, which: boolean) => (which ? yes : no)),
  typeOf: fn('any', nameOf),
  typeIs: fn('string any', (name: string, value: GoValue) => nameOf(value) === name),
  typeIsLike: fn('string any', (name: string, value: GoValue) => [name, `*${name}`].includes(nameOf(value))),
  kindOf: fn('any', kindOf),
  kindIs: fn('string any', (kind: string, value: GoValue) => kindOf(value) === kind),
  deepEqual: fn('any any', deepEqual),
};
