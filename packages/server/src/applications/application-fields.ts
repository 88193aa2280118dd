import { isObject, type Json, type JsonObject, toJson } from '@fairlead/apimachinery';

/** The value of a field that an Application does not have: left out, or written as Go writes it. */
type Absent = 'omit' | null | '' | object;

/** The fields of Applications that lists can be limited to. */
const selectable: Readonly<Record<string, Absent>> = {
  'metadata.name': '',
  'metadata.namespace': '',
  'metadata.annotations': null,
  'metadata.labels': null,
  'metadata.creationTimestamp': null,
  'metadata.deletionTimestamp': null,
  spec: {},
  'spec.destination': {},
  'spec.project': '',
  'spec.source': null,
  'spec.sources': null,
  'spec.sourceHydrator': null,
  'spec.syncPolicy': null,
  'status.sourceHydrator': {},
  'status.summary': {},
  'status.sync.status': '',
  'status.sync.revision': '',
  'status.health': {},
  'status.operationState.startedAt': 'omit',
  'status.operationState.finishedAt': 'omit',
  'status.resources': 'omit',
  'operation.sync': 'omit',
  'status.operationState.phase': 'omit',
  'status.operationState.operation.sync': 'omit',
};

/** Argo CD returns the result of the operation under this name. */
const readFrom: Readonly<Record<string, string>> = {
  'status.operationState.operation.sync': 'status.operationState.syncResult',
};

/** Fields of an Application that a client asks for. */
export interface ApplicationFields {
  /** Equal for equal fields. */
  readonly key: string;
  readonly fields: readonly string[];
  /** Where they are: the first two steps of each path. */
  readonly parents: ReadonlyMap<string, ReadonlySet<string> | 'all'>;
}

type Prefix = 'items' | 'application';

const parsed = new Map<string, ApplicationFields>();
const maxParsed = 1_000;

/** Reads `items.metadata.name,items.spec`; `-` before them leaves them out. */
export function applicationFields(text: string, prefix: Prefix): ApplicationFields {
  const known = parsed.get(prefix + text);
  if (known) return known;
  const { asked, isExclusion } = askedFields(text);
  const selected = Object.keys(selectable).filter((field) => asked.has(`${prefix}.${field}`) !== isExclusion);
  const fields = selected.filter((field) => !selected.some((other) => field.startsWith(`${other}.`)));
  const result = { key: fields.join(), fields, parents: parentsOf(fields) };
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(prefix + text, result);
  return result;
}

function askedFields(text: string): { readonly asked: ReadonlySet<string>; readonly isExclusion: boolean } {
  const isExclusion = text.startsWith('-');
  return { asked: new Set((isExclusion ? text.slice(1) : text).split(',')), isExclusion };
}

/** What is beside the Applications, as far as it is asked for. */
export function otherFields(value: JsonObject, text: string, prefix: Prefix): JsonObject {
  if (text === '') return value;
  const { asked, isExclusion } = askedFields(text);
  const isKept = (key: string): boolean => (isExclusion ? !asked.has(key) : prefix === 'items' || asked.has(key));
  return Object.fromEntries(Object.entries(value).filter(([key]) => isKept(key)));
}

function parentsOf(fields: readonly string[]): Map<string, Set<string> | 'all'> {
  const parents = new Map<string, Set<string> | 'all'>();
  for (const field of fields) {
    const [first = '', second] = (readFrom[field] ?? field).split('.');
    const known = parents.get(first);
    if (second === undefined || known === 'all') parents.set(first, 'all');
    else if (known) known.add(second);
    else parents.set(first, new Set([second]));
  }
  return parents;
}

/** The parts of an Application that hold the fields: the rest need not be encoded. */
export function withParents(application: JsonObject, { parents }: ApplicationFields): JsonObject {
  const result: JsonObject = {};
  for (const [first, seconds] of parents) {
    const value = application[first];
    if (value === undefined) continue;
    result[first] =
      seconds === 'all' || !isObject(value)
        ? value
        : Object.fromEntries([...seconds].flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]])));
  }
  return result;
}

/** An Application limited to some fields. */
export const onlyFields = (application: JsonObject, { fields }: ApplicationFields): JsonObject =>
  only(application, fields);

/** Limits each Application of a list, or one in an event, to the fields that a client asks for. */
export function selectApplicationFields(value: JsonObject, text: string, prefix: Prefix): JsonObject {
  const fields = applicationFields(text, prefix);
  const one = (application: Json): Json => (isObject(application) ? onlyFields(application, fields) : application);
  const { [prefix]: applications, ...rest } = value;
  if (applications === undefined) return otherFields(rest, text, prefix);
  return {
    ...otherFields(rest, text, prefix),
    [prefix]: Array.isArray(applications) ? applications.map(one) : one(applications),
  };
}

function only(application: JsonObject, fields: readonly string[]): JsonObject {
  const result: JsonObject = {};
  for (const field of fields) {
    const absent = selectable[field] ?? null;
    const found = valueAt(application, (readFrom[field] ?? field).split('.'));
    if (found === undefined && absent === 'omit') continue;
    const path = field.split('.');
    let target = result;
    for (const step of path.slice(0, -1)) {
      const next = target[step];
      const child = isObject(next) ? next : {};
      target[step] = child;
      target = child;
    }
    target[path.at(-1) ?? ''] = found ?? toJson(absent);
  }
  return result;
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of path) at = isObject(at) ? at[step] : undefined;
  return at;
}
