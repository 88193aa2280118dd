import type { Application, ApplicationSet } from '@fairlead/api';
import { isJsonObject, type Json, type JsonObject, toJson } from '@fairlead/apimachinery';
import { copyAt, type Jq, type Path, pathsAt, without } from '@fairlead/engine';

type Rules = NonNullable<ApplicationSet['spec']['ignoreApplicationDifferences']>;

export interface Ignoring {
  /** The desired Application with ignored fields as they are in the live one. */
  apply(desired: Application, live: Application): Promise<Application>;
}

/** Fields of Applications that may differ from the template. */
export function ignoring(rules: Rules | undefined, jq: Pick<Jq, 'paths'>): Ignoring | undefined {
  if (!rules || rules.length === 0) return undefined;

  async function pathsIn(object: JsonObject, name: string): Promise<Path[]> {
    const found: Path[] = [];
    for (const { name: only = '', jsonPointers = [], jqPathExpressions = [] } of rules ?? []) {
      if (only !== '' && only !== name) continue;
      for (const pointer of jsonPointers) found.push(...pathsAt(object, pointer));
      for (const expression of jqPathExpressions) found.push(...(await jq.paths(expression, object)));
    }
    return found.filter((path) => path.length > 0 && !isProtected(path));
  }

  return {
    async apply(desired, live) {
      const [from, to] = [objectOf(toJson(live)), objectOf(toJson(desired))];
      const { name } = desired.metadata;
      const [inLive, inDesired] = [await pathsIn(from, name), await pathsIn(to, name)];
      const result: unknown = asInLive(to, from, inLive, inDesired);
      return result as Application;
    },
  };
}

/** The identity and the operation of an Application cannot be ignored. */
const isProtected = ([first, second]: Path): boolean =>
  first === 'apiVersion' ||
  first === 'kind' ||
  first === 'operation' ||
  first === 'status' ||
  (first === 'metadata' && (second === 'name' || second === 'namespace' || second === 'ownerReferences'));

/** Items of lists that are ignored stay in the list, whatever else of it changes. */
function asInLive(desired: JsonObject, live: JsonObject, inLive: readonly Path[], inDesired: readonly Path[]): Json {
  const isItem = (path: Path): boolean => typeof path.at(-1) === 'number';
  let result: Json = without(desired, inDesired.filter(isItem));
  for (const path of inLive.filter(isItem)) result = withItem(result, live, path);
  for (const path of [...inLive, ...inDesired]) {
    if (!isItem(path)) result = copyAt(result, live, path) ?? result;
  }
  return result;
}

/** The item of the live object in its place of the list, or at its end. */
function withItem(to: Json, live: Json, [step, ...rest]: Path): Json {
  if (step === undefined) return to;
  const from = at(live, step);
  if (from === undefined) return to;
  if (rest.length === 0 && typeof step === 'number') {
    const list = Array.isArray(to) ? to : [];
    return list.toSpliced(Math.min(step, list.length), 0, from);
  }
  const inner = withItem(at(to, step) ?? (Array.isArray(from) ? [] : {}), from, rest);
  if (Array.isArray(to)) return typeof step === 'number' && step < to.length ? to.with(step, inner) : to;
  return { ...objectOf(to), [String(step)]: inner };
}

const at = (value: Json, step: string | number): Json | undefined =>
  Array.isArray(value) ? value[Number(step)] : isJsonObject(value) ? value[String(step)] : undefined;

const objectOf = (value: Json): JsonObject => (isJsonObject(value) ? value : {});
