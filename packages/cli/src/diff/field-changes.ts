import { equalJson, isJsonObject, type Json, type KubeObject, own, toJson } from '@fairlead/apimachinery';
import { groupOf } from '@fairlead/engine';

/** A field that exists on one side only, or differs. */
export interface FieldChange {
  /** Field names from the root; list items as `[web]` by name, or `[0]` by index. */
  readonly path: readonly string[];
  readonly before?: Json;
  readonly after?: Json;
}

/** The differences of two objects, field by field. Values of Secrets are hidden on both sides. */
export function fieldChanges(before: KubeObject, after: KubeObject): FieldChange[] {
  const found = jsonChanges(toJson(before), toJson(after));
  return isSecret(before) ? found.map(masked) : found;
}

/** The differences of two JSON values. */
export function jsonChanges(before: Json, after: Json): FieldChange[] {
  const found: FieldChange[] = [];
  collect([], before, after, found);
  return found;
}

function collect(
  path: readonly string[],
  before: Json | undefined,
  after: Json | undefined,
  found: FieldChange[],
): void {
  if (equalJson(before, after)) return;
  const pairs = pairsOf(before, after);
  if (pairs) for (const [name, a, b] of pairs) collect([...path, name], a, b, found);
  else found.push({ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) });
}

type Pair = readonly [name: string, before: Json | undefined, after: Json | undefined];

/** The matching children of two values; undefined if the values are compared as a whole. */
function pairsOf(before: Json | undefined, after: Json | undefined): Pair[] | undefined {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].map((name) => [name, own(before, name), own(after, name)]);
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const [left, right] = [byName(before), byName(after)];
  if (left && right) {
    const names = new Set([...left.keys(), ...right.keys()]);
    const pairs = [...names].map((name): Pair => [`[${name}]`, left.get(name), right.get(name)]);
    // Reordered items do not differ in any child.
    return pairs.every(([, a, b]) => equalJson(a, b)) ? undefined : pairs;
  }
  if (before.length !== after.length || !before.every(isJsonObject)) return undefined;
  return before.map((item, i) => [`[${i}]`, item, after[i]]);
}

/** Items by name, if all names are unique, as for containers and volumes. */
function byName(items: readonly Json[]): Map<string, Json> | undefined {
  const found = new Map<string, Json>();
  for (const item of items) {
    const name = isJsonObject(item) ? item['name'] : undefined;
    if (typeof name !== 'string' || found.has(name)) return undefined;
    found.set(name, item);
  }
  return found;
}

export const mask = '••••••••';

const isSecret = ({ apiVersion, kind }: KubeObject): boolean => kind === 'Secret' && groupOf(apiVersion) === '';
const isHidden = (name: string | undefined): boolean => name === 'data' || name === 'stringData';

/** Also the annotation that repeats the whole object. */
const repeats = ([top, section, name]: readonly string[]): boolean =>
  top === 'metadata' &&
  section === 'annotations' &&
  (name === undefined || name.endsWith('last-applied-configuration'));

function masked(change: FieldChange): FieldChange {
  if (!isHidden(change.path[0]) && !repeats(change.path)) return change;
  const { path, before, after } = change;
  return {
    path,
    ...(before === undefined ? {} : { before: hide(before) }),
    ...(after === undefined ? {} : { after: hide(after) }),
  };
}

/** Keeps the keys, hides the values. */
const hide = (value: Json): Json =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hide(inner)])) : mask;

/** An object for display: the values of a Secret are hidden, also in the annotation that repeats them. */
export function shown(object: KubeObject): KubeObject {
  if (!isSecret(object)) return object;
  // Kubernetes moves `stringData` to `data`: what is not stored yet is shown as it will be.
  const { data, stringData, ...rest } = { data: undefined, stringData: undefined, ...object };
  const values = Object.assign({}, ...[data, stringData].flatMap((one) => (one ? [hide(toJson(one))] : [])));
  const { annotations = {} } = object.metadata;
  const safe = Object.entries(annotations).map(([name, value]) => [
    name,
    repeats(['metadata', 'annotations', name]) ? mask : value,
  ]);
  const metadata = { ...object.metadata, ...(safe.length > 0 ? { annotations: Object.fromEntries(safe) } : {}) };
  return { ...rest, ...(data || stringData ? { data: values } : {}), metadata };
}
