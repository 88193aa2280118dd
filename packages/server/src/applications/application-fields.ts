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

/** Limits each Application of a list, or one in an event, to the fields that a client asks for; `-` before them leaves them out. */
export function selectApplicationFields(
  value: JsonObject,
  fields: string,
  prefix: 'items' | 'application',
): JsonObject {
  const isExclusion = fields.startsWith('-');
  const asked = new Set((isExclusion ? fields.slice(1) : fields).split(','));
  const selected = Object.keys(selectable).filter((field) => asked.has(`${prefix}.${field}`) !== isExclusion);
  const fieldsOf = selected.filter((field) => !selected.some((other) => field.startsWith(`${other}.`)));
  const one = (application: Json): Json => (isObject(application) ? only(application, fieldsOf) : application);
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === prefix) result[key] = Array.isArray(item) ? item.map(one) : one(item);
    else if (isExclusion ? !asked.has(key) : prefix === 'items' || asked.has(key)) result[key] = item;
  }
  return result;
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
