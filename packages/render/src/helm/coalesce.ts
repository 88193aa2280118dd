import { GoMap, type GoValue } from '../go-template/go-value.ts';
import { RenderError } from '../render-error.ts';
import { deepCopy } from '../sprig/dicts.ts';
import type { Chart } from './chart.ts';
import type { HelmProfile } from './profile.ts';

/** Coalescing removes keys that the user sets to null. Merging keeps the nulls for a later coalescing. */
export type Mode = 'coalesce' | 'merge';
type Profile = Pick<HelmProfile, 'dropsDefaultNulls' | 'keepsUnknownNulls'>;

/** The user's values over the defaults of the chart and its dependencies. The arguments are not changed. */
export function coalesceValues(chart: Chart, values: GoMap, mode: Mode, profile: Profile): GoMap {
  const copy = deepCopy(values);
  coalesceChart(chart, copy, mode, profile);
  return copy;
}

function coalesceChart(chart: Chart, values: GoMap, mode: Mode, profile: Profile): void {
  addDefaults(chart, values, mode, profile);
  for (const dependency of chart.dependencies) {
    const { name } = dependency.metadata;
    if (!values.has(name)) values.set(name, new GoMap());
    const own = values.get(name);
    if (!(own instanceof GoMap)) {
      throw new RenderError('InvalidValues', `type mismatch on ${name}: values for the chart ${name} must be a map`);
    }
    addGlobals(own, values, profile);
    coalesceChart(dependency, own, mode, profile);
  }
}

/** Adds a chart's defaults to the values given for it. */
function addDefaults(chart: Chart, values: GoMap, mode: Mode, profile: Profile): void {
  const isChild = (key: string): boolean => chart.dependencies.some(({ metadata }) => metadata.name === key);
  for (const [key, original] of chart.values) {
    const standard = deepCopy(original);
    if (!values.has(key)) {
      if (mode === 'coalesce' && profile.dropsDefaultNulls) {
        if (standard === null) continue;
        if (standard instanceof GoMap) dropNulls(standard);
      }
      values.set(key, standard);
      continue;
    }
    const given = values.get(key);
    if (isNull(given) && mode === 'coalesce') values.delete(key);
    else if (given instanceof GoMap && standard instanceof GoMap) {
      const nested = isChild(key) ? 'merge' : mode;
      if (nested === 'coalesce' && profile.dropsDefaultNulls) dropNulls(standard);
      coalesceTables(given, standard, nested, profile);
    }
  }
}

/** Copies a chart's globals to those of a dependency. The chart's globals have precedence. */
function addGlobals(inner: GoMap, outer: GoMap, profile: Profile): void {
  const own: GoValue = inner.has('global') ? inner.get('global') : new GoMap();
  const given: GoValue = outer.has('global') ? outer.get('global') : new GoMap();
  if (!(own instanceof GoMap) || !(given instanceof GoMap)) return;
  for (const [key, value] of given) {
    const present = own.get(key);
    if (value instanceof GoMap) {
      const copy = new GoMap(value);
      if (!own.has(key)) own.set(key, copy);
      else if (present instanceof GoMap) {
        coalesceTables(copy, present, 'merge', profile);
        own.set(key, copy);
      }
    } else if (!(present instanceof GoMap)) {
      own.set(key, value);
    }
  }
  inner.set('global', own);
}

/** Adds the keys of the source to the target, which has precedence. The source may be changed. */
export function coalesceTables(target: GoMap, source: GoMap, mode: Mode, profile: Profile): GoMap {
  const set = new Set([...source].filter(([, value]) => !isNull(value)).map(([key]) => key));
  for (const [key, value] of target) if (isNull(value)) source.set(key, null);
  for (const [key, value] of source) {
    const present = target.get(key);
    const nulled = target.has(key) && isNull(present) && mode === 'coalesce';
    if (nulled && (set.has(key) || !profile.keepsUnknownNulls)) target.delete(key);
    else if (!target.has(key)) target.set(key, value);
    else if (value instanceof GoMap && present instanceof GoMap) coalesceTables(present, value, mode, profile);
  }
  return target;
}

const isNull = (value: GoValue): boolean => value === null || value === undefined;

function dropNulls(map: GoMap): void {
  for (const [key, value] of map) {
    if (isNull(value)) map.delete(key);
    else if (value instanceof GoMap) dropNulls(value);
  }
}
