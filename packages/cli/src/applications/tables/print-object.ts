import { type Json, type KubeObject, toJson } from '@fairlead/apimachinery';
import { withoutManagedFields } from '@fairlead/kube';
import { writeYaml } from '@fairlead/render/go-yaml';

/** An object as it is printed, whichever API it comes from: the API server omits empty lists, and adds fields that are empty. */
export function printable(object: KubeObject): Json {
  const { apiVersion, kind, metadata, ...rest } = withoutManagedFields(object);
  const fields: object = JSON.parse(JSON.stringify(rest, withoutEmptyRetry));
  return toJson({ apiVersion, kind, metadata, ...Object.fromEntries(Object.entries(fields).flatMap(nonEmptyStatus)) });
}

/** Of an operation that is not retried. */
const withoutEmptyRetry = (name: string, value: unknown): unknown =>
  name === 'retry' && isEmpty(value) ? undefined : value;

function nonEmptyStatus([name, value]: [string, unknown]): [string, unknown][] {
  if (name !== 'status' || typeof value !== 'object' || value === null) return [[name, value]];
  const fields = Object.entries(value).filter(([, field]) => !isEmpty(field));
  return fields.length === 0 ? [] : [[name, Object.fromEntries(fields)]];
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && (value === null || Object.keys(value).length === 0);

/** An object or a list as JSON or YAML. */
export function printObject(object: KubeObject, form: string): string {
  const plain = printable(object);
  return form === 'json' ? `${JSON.stringify(plain, null, 2)}\n` : writeYaml(plain);
}

export function printList(objects: readonly KubeObject[], form: string): string {
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    metadata: {},
    items: objects.map(printable),
  };
  return form === 'json' ? `${JSON.stringify(list, null, 2)}\n` : writeYaml(list);
}
