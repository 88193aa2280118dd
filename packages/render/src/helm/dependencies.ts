import { GoMap, type GoValue } from '../go-template/go-value.ts';
import { RenderError } from '../render-error.ts';
import { SemverError, semverCompare } from '../semver/index.ts';
import type { Chart } from './chart.ts';
import { coalesceValues } from './coalesce.ts';
import type { ChartDependency } from './metadata.ts';
import type { HelmProfile } from './profile.ts';

/** The names of declared dependencies that are not in `charts/`. As in Helm, versions are not compared. */
export function missingDependencies(chart: Chart): string[] {
  const present = new Set(chart.dependencies.map(({ metadata }) => metadata.name));
  return chart.metadata.dependencies.map(({ name }) => name).filter((name) => !present.has(name));
}

/** Throws if a declared dependency is missing, even one that its condition disables. */
export function checkDependencies(chart: Chart): void {
  const missing = missingDependencies(chart);
  if (missing.length > 0) {
    throw new RenderError(
      'MissingDependency',
      `found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}: run \`helm dependency build\` and commit what it fetches`,
    );
  }
}

/** The chart with the dependencies that tags and conditions enable, under their aliases. */
export function enableDependencies(chart: Chart, values: GoMap, profile: HelmProfile, path = ''): Chart {
  if (chart.metadata.dependencies.length === 0) return chart;
  const declared = chart.metadata.dependencies;
  const isDeclared = (other: Chart): boolean => declared.some((dependency) => satisfies(other, dependency));
  const aliased = declared.flatMap((dependency) => {
    const found = chart.dependencies.find((other) => satisfies(other, dependency));
    if (!found) return [];
    return [dependency.alias === '' ? found : { ...found, metadata: { ...found.metadata, name: dependency.alias } }];
  });
  const all = [...chart.dependencies.filter((other) => !isDeclared(other)), ...aliased];
  const named = declared.map((dependency) => ({ ...dependency, name: dependency.alias || dependency.name }));
  const withAll = { ...chart, dependencies: all };
  const coalesced = coalesceValues(withAll, values, 'coalesce', profile);
  const disabled = new Set(
    named.filter((dependency) => !isEnabled(dependency, coalesced, path)).map(({ name }) => name),
  );
  return {
    ...chart,
    metadata: { ...chart.metadata, dependencies: named.filter(({ name }) => !disabled.has(name)) },
    dependencies: all
      .filter(({ metadata }) => !disabled.has(metadata.name))
      .map((other) => enableDependencies(other, coalesced, profile, `${path}${other.metadata.name}.`)),
  };
}

const satisfies = (chart: Chart, dependency: ChartDependency): boolean =>
  chart.metadata.name === dependency.name && inRange(dependency.version, chart.metadata.version);

/** Whether a version is in a range. False if either does not parse. */
export function inRange(range: string, version: string): boolean {
  try {
    return semverCompare(range, version);
  } catch (error) {
    if (error instanceof SemverError) return false;
    throw error;
  }
}

function isEnabled({ tags, condition }: ChartDependency, values: GoMap, path: string): boolean {
  const first = condition
    .trim()
    .split(',')
    .filter((part) => part !== '')
    .map((part) => valueAt(values, (path + part).split('.')))
    .find((value) => typeof value === 'boolean');
  return typeof first === 'boolean' ? first : tagsAllow(tags, values.get('tags'));
}

function tagsAllow(tags: readonly string[], values: GoValue): boolean {
  if (!(values instanceof GoMap)) return true;
  const set = tags.map((tag) => values.get(tag)).filter((value) => typeof value === 'boolean');
  return set.length === 0 || set.includes(true);
}

function valueAt(values: GoMap, path: readonly string[]): GoValue {
  let at: GoValue = values;
  for (const name of path) at = at instanceof GoMap ? at.get(name) : undefined;
  return at;
}
