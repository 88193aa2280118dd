import type { ApplicationSource } from '@fairlead/api';
import { isJsonObject, type Json } from '@fairlead/apimachinery';
import { hasRegistryPrefix, withoutRegistry } from '../reference/image-reference.ts';
import type { HelmParameter } from './helm-parameters.ts';
import { getValue, setValue, stepsOf } from './yaml-text/values-file.ts';

export type Helm = NonNullable<ApplicationSource['helm']>;
type Values = Record<string, Json>;

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/**
 * The value at a path such as `image.tag` in the values of an Application; undefined if it is not there. If `valuesObject` is set, `values`
 * is ignored, as in Argo CD.
 */
export function valueIn({ valuesObject, values }: Helm, path: string): string | undefined {
  if (valuesObject !== undefined) {
    const steps = pathTo(valuesObject, path);
    return steps && String(steps.reduce<unknown>((value, step) => memberOf(value, step), valuesObject));
  }
  try {
    return values ? getValue(values, path) : undefined;
  } catch {
    // No such value, or values that do not parse.
    return undefined;
  }
}

/** The keys and indexes that lead to a scalar; a key with the name of the whole path is used if the path does not exist. */
function pathTo(values: Values, path: string): string[] | undefined {
  const way: string[] = [];
  let value: unknown = values;
  for (const { key, index } of stepsOf(path)) {
    const steps = index === undefined ? [key] : [key, String(index)];
    for (const step of steps) {
      value = memberOf(value, step);
      way.push(step);
    }
  }
  if (isPlain(value)) return way;
  return Object.hasOwn(values, path) && isPlain(values[path]) ? [path] : undefined;
}

function withValue(helm: Helm, path: string, value: string): Helm {
  if (helm.valuesObject === undefined) return { ...helm, values: setValue(helm.values ?? '', path, value) };
  return {
    ...helm,
    valuesObject: replacedIn(helm.valuesObject, pathTo(helm.valuesObject, path) ?? [path], value),
  };
}

function replaced(holder: Json | undefined, [step, ...rest]: readonly string[], value: string): Json {
  if (step === undefined) return value;
  if (Array.isArray(holder)) return holder.map((item, i) => (String(i) === step ? replaced(item, rest, value) : item));
  return replacedIn(isJsonObject(holder) ? holder : {}, [step, ...rest], value);
}

function replacedIn(map: Values, [step = '', ...rest]: readonly string[], value: string): Values {
  return { ...map, [step]: replaced(map[step], rest, value) };
}

/** A member of a map or an element of a list; undefined if it has none. */
function memberOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return Object.hasOwn(value, step) ? value[Number(step)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/**
 * Writes parameters that the Application sets in its Helm values to these values, and returns the others. An existing parameter overrides
 * values, so it stays a parameter. A name without a registry stays without: charts often have a separate value for the registry.
 */
export function writeToValues(
  helm: Helm,
  parameters: readonly HelmParameter[],
): { readonly helm: Helm; readonly left: readonly HelmParameter[] } {
  const own = new Set((helm.parameters ?? []).map(({ name }) => name));
  const left: HelmParameter[] = [];
  let written = helm;
  for (const parameter of parameters) {
    const { name = '', value = '' } = parameter;
    const before = own.has(name) ? undefined : valueIn(written, name);
    if (before === undefined) left.push(parameter);
    else written = withValue(written, name, asShortAs(before, value));
  }
  return { helm: written, left };
}

const asShortAs = (before: string, value: string): string =>
  hasRegistryPrefix(value) && !hasRegistryPrefix(before) ? withoutRegistry(value) : value;

/** The parameters that correspond to the values of these names; the name of the image includes its registry, also if the values omit it. */
export function parametersInValues(helm: Helm, names: readonly string[], image: string): HelmParameter[] {
  const registry = hasRegistryPrefix(image) ? image.slice(0, image.indexOf('/') + 1) : '';
  return names.flatMap((name) => {
    const value = valueIn(helm, name);
    if (value === undefined) return [];
    const isShort = registry !== '' && !hasRegistryPrefix(value) && value.startsWith(withoutRegistry(image));
    return [{ name, value: isShort ? `${registry}${value}` : value }];
  });
}
