import { isKubeObject, type Json, type KubeObject, toJson, type Unstructured } from '@fairlead/apimachinery';
import { stringify } from 'yaml';
import type { Kind } from './kind.ts';

/** The CustomResourceDefinition of a kind, with sorted keys, as generators write them. */
export function crdOf(kind: Kind<KubeObject>): Unstructured {
  const { definition, schema } = kind;
  const { group, version, plural } = definition;
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...(definition.labels ? { labels: definition.labels } : {}) },
    spec: {
      group,
      names: {
        kind: definition.kind,
        listKind: `${definition.kind}List`,
        plural,
        ...(definition.shortNames ? { shortNames: definition.shortNames } : {}),
        singular: definition.kind.toLowerCase(),
      },
      scope: definition.namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          ...(definition.printerColumns ? { additionalPrinterColumns: definition.printerColumns } : {}),
          name: version,
          schema: { openAPIV3Schema: schema },
          served: true,
          storage: true,
          ...(definition.statusSubresource ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
  const object = sorted(toJson(crd));
  if (!isKubeObject(object)) throw new TypeError(`the definition of ${definition.kind} is not an object`);
  return object;
}

export const crdYaml = (kind: Kind<KubeObject>): string =>
  stringify(crdOf(kind), { lineWidth: 100, aliasDuplicateObjects: false });

/** A deep copy with keys in order; `required` lists are sets and are sorted too. */
function sorted(value: Json, name = ''): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => sorted(item));
    return name === 'required' ? items.sort() : items;
  }
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child, key)]));
}
