import {
  fn,
  GoError,
  type GoFunction,
  GoInt,
  GoMap,
  type GoValue,
  itemsOf,
  typeOf,
} from '@fairlead/render/go-template';
import { readYaml, writeYaml, YamlError } from '@fairlead/render/go-yaml';
import { fromPlain, sprigFunctions, toPlain } from '@fairlead/render/sprig';
import { sanitizeName } from './sanitize-name.ts';
import { slugify } from './slug.ts';

/** What Go says of an argument of another type than the function asserts. */
const notA = (value: GoValue, type: string): GoError =>
  new GoError(`interface conversion: interface {} is ${typeOf(value)?.name ?? 'nil'}, not ${type}`);

/** `slugify [MAX [SMART]] TEXT`. */
function slugifyArguments(...args: GoValue[]): string {
  const text = args.length === 0 ? '' : (args.at(-1) ?? null);
  const [max, smart] = args.slice(0, -1);
  if (max !== undefined && !(max instanceof GoInt && max.type.name === 'int')) throw notA(max, 'int');
  if (smart !== undefined && typeof smart !== 'boolean') throw notA(smart, 'bool');
  if (typeof text !== 'string') throw notA(text, 'string');
  return slugify(text, { maxLength: max === undefined ? 50 : Number(max.value), smartTruncate: smart ?? true });
}

function orGoError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof YamlError ? new GoError(error.message) : error;
  }
}

const kindOf = (value: GoValue): string =>
  value instanceof GoMap ? 'object' : itemsOf(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

const cannotUnmarshal = (value: GoValue, type: string): GoError =>
  new GoError(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kindOf(value)} into Go value of type ${type}`,
  );

function fromYaml(text: string): GoMap {
  const value = orGoError(() => fromPlain(readYaml(text)));
  if (value === null || value === undefined) return new GoMap();
  if (!(value instanceof GoMap)) throw cannotUnmarshal(value, 'map[string]interface {}');
  return value;
}

function fromYamlArray(text: string): GoValue {
  const value = orGoError(() => fromPlain(readYaml(text)));
  if (value === null || value === undefined) return [];
  if (!itemsOf(value)) throw cannotUnmarshal(value, '[]interface {}');
  return value;
}

let calls = 0;

/** How often functions were called whose result is not the same each time, such as `now`. */
export const nondeterministicCalls = (): number => calls;

const { getHostByName: _, ...sprig } = sprigFunctions({
  now: Date.now,
  used: () => {
    calls += 1;
  },
});

/** The functions of Go templates in ApplicationSets: Sprig's, without those that tell about the machine, and Argo CD's own. */
export const templateFunctions: Readonly<Record<string, GoFunction>> = {
  ...sprig,
  normalize: fn('string', sanitizeName),
  slugify: fn('...any', slugifyArguments),
  toYaml: fn('any', (value: GoValue) => orGoError(() => writeYaml(toPlain(value)).replace(/\n$/u, ''))),
  fromYaml: fn('string', fromYaml),
  fromYamlArray: fn('string', fromYamlArray),
};
