import { GoMap } from '../go-template/go-value.ts';
import { display } from '../go-template/printf.ts';
import { deepCopy } from '../sprig/dicts.ts';
import { fromPlain } from '../sprig/plain.ts';
import type { Chart } from './chart.ts';
import { coalesceTables, coalesceValues } from './coalesce.ts';
import type { HelmProfile } from './profile.ts';

/** An entry of `import-values`: a table of the child, and its path in the parent. */
function importOf(item: unknown): { child: string; parent: string } | undefined {
  if (typeof item === 'string') return { child: `exports.${item}`, parent: '.' };
  const fields = fromPlain(item);
  if (!(fields instanceof GoMap)) return undefined;
  return { child: display(fields.get('child')), parent: display(fields.get('parent')) };
}

/** The chart with values imported from its dependencies, innermost first. Its own values have precedence over imported ones. */
export function importValues(chart: Chart, profile: HelmProfile): Chart {
  const dependencies = chart.dependencies.map((dependency) => importValues(dependency, profile));
  const inner = { ...chart, dependencies };
  if (chart.metadata.dependencies.length === 0) return inner;
  const merged = coalesceValues(inner, new GoMap(), 'merge', profile);
  const imported = new GoMap();
  for (const { name, importValues: items } of chart.metadata.dependencies) {
    for (const item of items) {
      const entry = importOf(item);
      const table = entry && tableAt(merged, [name, ...entry.child.split('.')]);
      if (table) coalesceTables(imported, nest(entry.parent, deepCopy(table)), 'merge', profile);
    }
  }
  return { ...inner, values: coalesceTables(deepCopy(merged), imported, 'merge', profile) };
}

function tableAt(map: GoMap, path: readonly string[]): GoMap | undefined {
  let at = map;
  for (const name of path) {
    const next = at.get(name);
    if (!(next instanceof GoMap)) return undefined;
    at = next;
  }
  return at;
}

function nest(path: string, table: GoMap): GoMap {
  if (path === '.') return table;
  return path.split('.').reduceRight((inner, name) => new GoMap([[name, inner]]), table);
}
