import { equalJson, isJsonObject, type Json, own } from '@fairlead/apimachinery';
import type { Path } from './paths.ts';

/** A field that exists on one side only, or differs. */
export interface FieldChange {
  /** Field names from the root; list items as `[web]` by name, or `[0]` by index. */
  readonly path: readonly string[];
  /** Where it is on each side, or would be. */
  readonly at: { readonly before: Path; readonly after: Path };
  readonly before?: Json;
  readonly after?: Json;
}

/** The differences of two JSON values, field by field. */
export function jsonChanges(before: Json, after: Json): FieldChange[] {
  const found: FieldChange[] = [];
  collect({ path: [], at: { before: [], after: [] } }, before, after, found);
  return found;
}

function collect(
  { path, at }: Pick<FieldChange, 'path' | 'at'>,
  before: Json | undefined,
  after: Json | undefined,
  found: FieldChange[],
): void {
  if (equalJson(before, after)) return;
  const pairs = pairsOf(before, after);
  if (!pairs) {
    found.push({ path, at, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) });
    return;
  }
  for (const { name, steps, values } of pairs) {
    const inner = { before: [...at.before, steps[0]], after: [...at.after, steps[1]] };
    collect({ path: [...path, name], at: inner }, values[0], values[1], found);
  }
}

interface Pair {
  readonly name: string;
  readonly steps: readonly [before: string | number, after: string | number];
  readonly values: readonly [before: Json | undefined, after: Json | undefined];
}

/** The matching children of two values; undefined if the values are compared as a whole. */
function pairsOf(before: Json | undefined, after: Json | undefined): Pair[] | undefined {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].map((name) => ({ name, steps: [name, name], values: [own(before, name), own(after, name)] }));
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const [left, right] = [byName(before), byName(after)];
  if (left && right) {
    const names = new Set([...left.keys(), ...right.keys()]);
    const pairs = [...names].map((name): Pair => {
      const [a, b] = [left.get(name), right.get(name)];
      return { name: `[${name}]`, steps: [a?.i ?? before.length, b?.i ?? after.length], values: [a?.item, b?.item] };
    });
    // Reordered items do not differ in any child.
    return pairs.every(({ values: [a, b] }) => equalJson(a, b)) ? undefined : pairs;
  }
  if (before.length !== after.length || !before.every(isJsonObject)) return undefined;
  return before.map((item, i) => ({ name: `[${i}]`, steps: [i, i], values: [item, after[i]] }));
}

/** Items by name, if all names are unique, as for containers and volumes. */
function byName(items: readonly Json[]): Map<string, { readonly i: number; readonly item: Json }> | undefined {
  const found = new Map<string, { i: number; item: Json }>();
  for (const [i, item] of items.entries()) {
    const name = isJsonObject(item) ? item['name'] : undefined;
    if (typeof name !== 'string' || found.has(name)) return undefined;
    found.set(name, { i, item });
  }
  return found;
}

/** `spec.template.spec.containers[0].image`, `metadata.labels["app.kubernetes.io/name"]`; list items also as `[web]`. */
export const fieldPath = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (/^\[.*\]$/u.test(step)) return `${text}${step}`;
    if (!/^[\w$-]+$/u.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
