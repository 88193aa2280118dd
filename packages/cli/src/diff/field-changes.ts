import { isJsonObject, type Json, type KubeObject, toJson } from '@fairlead/apimachinery';
import { type FieldChange, groupOf, jsonChanges } from '@fairlead/engine';

/** The differences of two objects, field by field. Values of Secrets are hidden on both sides. */
export function fieldChanges(before: KubeObject, after: KubeObject): FieldChange[] {
  const found = jsonChanges(toJson(before), toJson(after));
  return isSecret(before) ? found.map(masked) : found;
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
  const { before, after, ...where } = change;
  return {
    ...where,
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
