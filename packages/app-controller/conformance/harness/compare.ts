import { equalJson, isJsonObject, type Json, type JsonObject, listAt, textAt } from '@fairlead/apimachinery';

/** The class of a difference: the state of the Application, the resources listed, the live objects, or only a text. */
export const differenceClasses = ['state', 'resources', 'live', 'message'] as const;
export type DifferenceClass = (typeof differenceClasses)[number];

export interface Difference {
  readonly class: DifferenceClass;
  readonly path: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

const unstable = '$UNSTABLE';
/** A file that Argo CD writes for a command: Fairlead runs none, and names the object instead. */
const temporary = '$TMP';

/**
 * The differences between an observation and the recorded one, key by key. `unordered` has the paths of lists whose order is not
 * deterministic.
 */
export function compareObservations(
  expected: JsonObject,
  actual: JsonObject,
  unordered: ReadonlySet<string> = new Set(),
): Difference[] {
  const differences: Difference[] = [];
  const waves = wavesOf(expected, actual);
  compareValues([], expected, actual);
  return differences;

  function report(path: readonly string[], one: Json | undefined, other: Json | undefined): void {
    differences.push({ class: classOf(path), path: path.join('/'), expected: one, actual: other });
  }

  function compareValues(path: readonly string[], one: Json | undefined, other: Json | undefined): void {
    if (one === unstable || equalJson(one ?? null, other ?? null)) return;
    if (isJsonObject(one) && isJsonObject(other)) {
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
        const at = [...path, key];
        if (isIdentified(at)) compareIdentified(at, listAt(one, key), listAt(other, key));
        else compareValues(at, one[key], other[key]);
      }
      return;
    }
    if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
      const isSet = unordered.has(path.join('/')) || unorderedLists.has(path.at(-1) ?? '');
      const [left, right] = isSet ? [sorted(one), sorted(other)] : [one, other];
      for (const [index, item] of left.entries()) compareValues([...path, String(index)], item, right[index]);
      return;
    }
    if (typeof one === 'string' && typeof other === 'string' && isSameText(one, other)) return;
    report(path, one, other);
  }

  /** Lists of resources: compared by identity, then by order as far as it is deterministic. */
  function compareIdentified(path: readonly string[], one: readonly Json[], other: readonly Json[]): void {
    const left = byIdentity(one);
    const right = byIdentity(other);
    const chance =
      path.includes('syncResult') && [...one, ...other].some((item) => textAt(item, 'status') === 'SyncFailed');
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      const [a, b] = [left.get(key), right.get(key)];
      if (!a || !b) report([...path, key], a, b);
      else compareValues([...path, key], chance ? withoutChance(a) : a, chance ? withoutChance(b) : b);
    }
    if (identifiedSets.has(path.join('/')) || unordered.has(path.join('/')) || left.size !== right.size) return;
    const groupOf = path.includes('syncResult') ? (item: Json) => groupOfResult(item, waves) : identityOf;
    const [was, is] = [one.map(groupOf), other.map(groupOf)];
    const sameMembers = equalJson([...left.keys()].sort(), [...right.keys()].sort());
    if (sameMembers && !equalJson(was, is)) report([...path, 'order'], one.map(identityOf), other.map(identityOf));
  }
}

const unorderedLists = new Set(['images', 'managers', 'finalizers']);

const identifiedLists = new Set(['live', 'conditions', 'resources', 'operationState/syncResult/resources']);
const isIdentified = (path: readonly string[]): boolean => identifiedLists.has(path.join('/'));
/** The order of these is not significant. */
const identifiedSets = new Set(['live', 'conditions']);

const identityOf = (item: Json): string =>
  ['syncPhase', 'type', 'apiVersion', 'group', 'kind', 'namespace', 'name']
    .map((field) => textAt(item, field))
    .filter((text) => text !== '')
    .join(' ');

/** The same identity twice is possible: a resource that is in the source twice. */
function byIdentity(list: readonly Json[]): Map<string, Json> {
  const map = new Map<string, Json>();
  for (const item of list) {
    let key = identityOf(item);
    while (map.has(key)) key += ' again';
    map.set(key, item);
  }
  return map;
}

/** Next to a failed object, it is not deterministic whether the others already count as done. */
const withoutChance = (item: Json): Json => {
  if (!isJsonObject(item) || item['hookType'] || item['status'] !== 'Synced') return item;
  const { hookPhase: _, ...rest } = item;
  return rest;
};

/** Objects of one kind, phase and wave are applied concurrently. Pruned objects are deleted together, and their wave is not their own. */
const groupOfResult = (item: Json, waves: ReadonlyMap<string, number>): string => {
  if (textAt(item, 'status').startsWith('Prune')) return `${textAt(item, 'syncPhase')} prune`;
  const wave = waves.get(objectOf(item)) ?? 0;
  return `${textAt(item, 'syncPhase')} ${textAt(item, 'group')}/${textAt(item, 'kind')} ${wave}`;
};

const objectOf = (item: Json): string => `${textAt(item, 'kind')} ${textAt(item, 'namespace')} ${textAt(item, 'name')}`;

/** The sync wave of each object, as far as an observation contains it. */
function wavesOf(...observations: readonly JsonObject[]): Map<string, number> {
  const waves = new Map<string, number>();
  for (const observation of observations) {
    for (const item of listAt(observation, 'live')) {
      const wave = textAt(item, 'annotations', 'argocd.argoproj.io/sync-wave');
      if (wave !== '') waves.set(objectOf(item), Number(wave));
    }
    for (const item of listAt(observation, 'resources')) {
      const wave = isJsonObject(item) ? item['syncWave'] : undefined;
      if (typeof wave === 'number') waves.set(objectOf(item), wave);
    }
  }
  return waves;
}

/** Parts that are joined in any order, as the causes of a health are in Argo CD, and parts that differed between the recordings. */
function isSameText(one: string, other: string): boolean {
  if (one.includes(unstable) || one.includes(temporary)) {
    const pattern = one
      .replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&')
      .replaceAll(`\\${unstable}`, '[\\s\\S]*')
      .replaceAll(`\\${temporary}`, '[^"\\n]*');
    if (new RegExp(`^${pattern}$`, 'u').test(other)) return true;
  }
  const parts = (text: string): string =>
    text
      .split(/,\s*|\n|; | \(retried|reason: |Caused by |\[|\]/u)
      .sort()
      .join('\n');
  return one.length === other.length && parts(one) === parts(other);
}

const sorted = (list: readonly Json[]): Json[] =>
  [...list].sort((a, b) => {
    const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });

function classOf(path: readonly string[]): DifferenceClass {
  const [first = ''] = path;
  if (path.at(-1) === 'message' || first === 'conditions') return 'message';
  if (first === 'live' || first === 'resources') return first;
  return path.includes('syncResult') || first === 'images' ? 'resources' : 'state';
}

/** A short summary, the most important class first. */
export function describeDifferences(differences: readonly Difference[]): string[] {
  return differenceClasses.flatMap((name) =>
    differences
      .filter((one) => one.class === name)
      .map(({ path, expected, actual }) => `${name} ${path}\n  expected ${show(expected)}\n  actual   ${show(actual)}`),
  );
}

const show = (value: Json | undefined): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 900 ? `${text.slice(0, 900)}…` : text;
};
