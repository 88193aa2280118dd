import { type ApplicationSet, applicationSetKind } from '@fairlead/api';
import { apiVersionOf, isObject, type JsonObject, listAt, objectAt, textAt } from '@fairlead/apimachinery';

const { type } = applicationSetKind;

/** The ApplicationSet in a request, in a namespace. Generators are a list, and the template is an object, whatever the request left out. */
export function setFromMessage(message: JsonObject, namespace: string): ApplicationSet {
  const metadata = objectAt(message, 'metadata') ?? {};
  const spec = objectAt(message, 'spec') ?? {};
  const set = {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { ...metadata, name: textAt(metadata, 'name'), namespace },
    spec: { ...spec, generators: listAt(spec, 'generators'), template: objectAt(spec, 'template') ?? {} },
  };
  if (!isSet(set)) throw new TypeError('the request was not decoded');
  return set;
}

/** The shapes of the fields were checked when the request was decoded. */
const isSet = (value: object): value is ApplicationSet =>
  'spec' in value &&
  isObject(value.spec) &&
  Array.isArray(value.spec['generators']) &&
  isObject(value.spec['template']);

/** An empty list of generators is a missing one to Kubernetes, which reports it. */
export function withoutNoGenerators(set: ApplicationSet): ApplicationSet {
  if (set.spec.generators.length > 0) return set;
  const { generators: _, ...spec } = set.spec;
  return Object.assign({}, set, { spec });
}
